// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// What keeps a text from being a name that people see ("must not hold / or \\"), or nothing: at most 100 characters,
// without path separators or characters that a terminal obeys instead of showing.
std::string nameProblem(std::string_view name);
// The same of a line of text, such as tags: up to so many characters, path separators among them, or nothing at all.
std::string lineProblem(std::string_view text, std::size_t maxCharacters);
// The name of a run that begins with a checkpoint of the run of that name; cut between characters where it is too long.
std::string forkName(std::string_view name);

// Rule: which ids from another computer or an archive may become files here.
// Those that newId() could have made: safe as the name of a file or a folder.
bool isPlainId(const std::string& id);
// Rule: which paths from another computer or an archive may become files here.
// Relative paths that stay below their folder: no empty parts, no "." and "..".
bool isPlainPath(const std::string& path);

} // namespace trainyard
