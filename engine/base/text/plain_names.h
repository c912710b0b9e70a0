// SPDX-License-Identifier: GPL-3.0-or-later
// Names that come from elsewhere, from another computer or an archive, before files are named by them.
#pragma once

#include <string>

namespace trainyard {

// Rule: which ids from another computer or an archive may become files here.
// Those that newId() could have made: safe as the name of a file or a folder.
bool isPlainId(const std::string& id);

// Rule: which paths from another computer or an archive may become files here.
// Relative paths that stay below their folder: no empty parts, no "." and "..".
bool isPlainPath(const std::string& path);

} // namespace trainyard
