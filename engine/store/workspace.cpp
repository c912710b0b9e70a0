// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/workspace.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"

#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace trainyard::store {
namespace {

namespace fs = std::filesystem;

std::string homeFolder() {
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
    const passwd* entry = ::getpwuid(::getuid());
    return entry != nullptr && entry->pw_dir != nullptr ? entry->pw_dir : "";
}

std::string reasonOf(const std::error_code& failure) {
    // Of mkdir(), where there is no such folder.
    if (failure == std::errc::file_exists) return "a link on the way to it leads nowhere";
    return failure.message();
}

std::string remedyFor(const fs::path& root, const std::error_code& failure) {
    if (const auto room = roomRemedy(failure.value(), root); !room.empty())
        return room + ", or give a folder of another disk with --workspace";
    return "give a folder that you can write to with --workspace";
}

} // namespace

fs::path usualRoot() {
    // Not ~/trainyard: that is where many will have cloned the program to.
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
        return fs::path(data) / "trainyard";
    const std::string home = homeFolder();
    return home.empty() ? fs::path() : fs::path(home) / ".local/share/trainyard";
}

Result<Workspace> Workspace::open(const std::string& given) {
    std::string chosen = given;
    if (chosen.empty()) {
        if (const char* fromEnvironment = std::getenv("TRAINYARD_WORKSPACE")) chosen = fromEnvironment;
    }
    if (chosen.empty()) chosen = usualRoot().string();
    if (chosen.empty())
        return environmentError("this user has no home folder for the workspace", "HOME", "give --workspace DIR");
    if (chosen.find('\0') != std::string::npos) return inputError("a path cannot hold a zero byte", "--workspace");
    std::error_code failure;
    const fs::path root = fs::absolute(chosen, failure).lexically_normal();
    if (!failure && fs::create_directories(root, failure)) (void)syncFolder(root.parent_path());
    std::error_code ignored;
    const auto status = fs::status(root, ignored); // of a file that cannot be reached: none
    if (fs::exists(status) && !fs::is_directory(status))
        return inputError("the workspace is a file, not a folder", root.string(), "choose another folder");
    if (!failure && ::access(root.c_str(), X_OK) != 0) failure.assign(errno, std::generic_category());
    if (failure)
        return environmentError("cannot use the workspace: " + reasonOf(failure), root.string(),
                                remedyFor(root, failure));
    return Workspace{root};
}

std::optional<Workspace> submittedFrom(const Workspace& workspace) {
    const auto above = workspace.root.parent_path();
    const auto job = above.filename() == "tasks" ? above.parent_path() : workspace.root;
    std::error_code ignored;
    if (job.parent_path().filename() != "slurm" || !fs::exists(job / "job.sh", ignored)) return std::nullopt;
    return Workspace{job.parent_path().parent_path()};
}

} // namespace trainyard::store
