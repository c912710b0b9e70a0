// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/socket_path.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;
constexpr std::size_t kRoomForName = 40; // "/" + a run's id + ".sock"

} // namespace

Result<std::filesystem::path> socketFolder() {
    std::filesystem::path folder = "/tmp/trainyard-" + std::to_string(::geteuid());
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime && *runtime == '/' && std::string(runtime).size() + 10 + kRoomForName < kMaxSocketPath &&
        ::access(runtime, W_OK | X_OK) == 0)
        folder = std::filesystem::path(runtime) / "trainyard";
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return systemError("cannot create the folder for sockets", folder.string());
    TY_TRY(checkPrivate(folder));
    return folder;
}

Result<void> checkPrivate(const std::filesystem::path& folder) {
    struct stat info{};
    if (::lstat(folder.c_str(), &info) != 0) return systemError("cannot read the folder for sockets", folder.string());
    if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
        return environmentError("is not a private folder of this user", folder.string(),
                                "remove it, or set its owner and mode 0700");
    return {};
}

Result<std::filesystem::path> socketPath(const std::string& run) {
    TY_ASSIGN(const auto folder, socketFolder());
    return folder / (run + ".sock");
}

} // namespace trainyard::run
