// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are made once, mapped by every process of a user that wants them, and can be made anew.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace trainyard {

// Where they are kept, and how many bytes of them; nowhere with an empty folder.
struct KeptStore {
    std::filesystem::path folder;
    std::int64_t most = 0;
};
// The folder NAME of this user's cache folder, with a quarter of the room of its disk.
KeptStore usualStore(const std::string& name);

// Path, size and time of a file, from which the name of what is kept of it follows; empty where there is none.
std::string stampOfFile(const std::filesystem::path& file);

// The name of a file while it is made.
std::filesystem::path partOfKept(const std::filesystem::path& file);

// Waits for the turn to make `file`, and makes its folder. None: `isThere` has found it, as another process has made
// it meanwhile. Else the file's part, open for reading and writing, whose lock goes with the descriptor; what a killed
// builder has left in it is still there. Whoever has made it renames it to `file`. Environment: it cannot be written.
Result<UniqueFd> turnToMake(const std::filesystem::path& file, const std::function<bool()>& isThere);

// What whoever has the turn ends with, once its part is written or could not be (`made`): renames it to `file` and lets
// those that wait for `lock` map it, or removes it and returns that error. Environment: it cannot be renamed.
Result<void> endTurnToMake(const std::filesystem::path& file, const UniqueFd& lock, Result<void> made);

// Opens a kept file and marks it as in use as long as the descriptor lives; none where there is no such file, or it is
// being made.
UniqueFd openKept(const std::filesystem::path& file);

// Removes files of the folder whose names end so, and their parts, those first that were not used for longest, until
// `most` bytes are kept; none that is in use. Files whose names begin as one that goes, up to its dot, go with it.
void pruneKept(const std::filesystem::path& folder, std::string_view ending, std::int64_t most);

} // namespace trainyard
