// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/disk_room.h"

#include <sys/statvfs.h>

#include <cerrno>

namespace trainyard {

bool isOutOfInodes(const std::filesystem::path& folder) {
    struct statvfs disk{};
    auto there = folder;
    while (::statvfs(there.c_str(), &disk) != 0) {
        if (errno != ENOENT || !there.has_relative_path()) return false;
        there = there.parent_path();
    }
    return disk.f_files > 0 && disk.f_favail == 0; // a file system that counts none has 0 of 0
}

std::string roomRemedy(int code, const std::filesystem::path& folder) {
    if (errorCodeOfErrno(code) != ErrorCode::DiskFull) return {};
    if (code == EFBIG) return "raise the limit of file sizes (ulimit -f)";
    if (code == ENOSPC && isOutOfInodes(folder))
        return "all inodes of the disk are used: delete files that are not needed";
    return "free some space";
}

Error notMadeError(const std::string& what, const std::filesystem::path& path, const std::error_code& failure) {
    const auto room = roomRemedy(failure.value(), path.parent_path());
    return environmentError(what + ": " + failure.message(), path.string(),
                            room.empty() ? "check that the folder above it is yours and writable" : room)
        .withCode(errorCodeOfErrno(failure.value()));
}

} // namespace trainyard
