// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/abandoned_folder.h"

#include "engine/base/text/plain_names.h"
#include "engine/store/store.h"

#include <chrono>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr std::chrono::minutes kQuietTime{1}; // without a change in it: nobody makes it any more

} // namespace

// The lock alone does not tell: whoever makes the folder may be on another computer, and a file server may not pass on
// its locks. A large checkpoint takes long to copy into it, and shows that all the time.
void removeAbandoned(const fs::path& folder, const std::function<bool()>& isRecorded) {
    std::error_code failure;
    const auto isOld = [&](const fs::path& path) {
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path, failure);
        return !failure && age > kQuietTime;
    };
    if (!isPlainId(folder.filename().string()) || !fs::is_directory(folder, failure) || !isOld(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder, failure))
        if (!isOld(entry.path())) return;
    if (failure) return;
    if (const auto lock = store::RunLock::acquire(folder); lock && !isRecorded()) fs::remove_all(folder, failure);
}

} // namespace trainyard::run
