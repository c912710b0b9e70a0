// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/open_writers.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <dirent.h>
#include <memory>
#include <string>

namespace trainyard::program {
namespace {

struct CloseDirectory {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

// The first bytes of a small file of the kernel's.
std::string smallFile(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return {};
    std::array<char, 1024> bytes{};
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    ::close(fd);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

// Calls `take` with each name in the folder that is a number.
template <class Take>
void eachNumber(const std::string& folder, Take take) {
    const std::unique_ptr<DIR, CloseDirectory> open(::opendir(folder.c_str()));
    if (!open) return;
    while (const dirent* entry = ::readdir(open.get()))
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0) take(std::string(entry->d_name));
}

// "PID (name) state parent group …", where the name may hold anything.
pid_t groupOf(const std::string& process) {
    const std::string stat = smallFile(process + "/stat");
    const auto name = stat.rfind(')');
    if (name == stat.npos || name + 4 >= stat.size()) return 0;
    char* end = nullptr;
    (void)std::strtol(stat.c_str() + name + 4, &end, 10); // of its parent
    return static_cast<pid_t>(std::strtol(end, nullptr, 10));
}

bool isOpenForWriting(const std::string& process, const std::string& fd) {
    const std::string info = smallFile(process + "/fdinfo/" + fd);
    const auto flags = info.find("flags:");
    if (flags == info.npos) return false;
    return (std::strtol(info.c_str() + flags + 6, nullptr, 8) & O_ACCMODE) != O_RDONLY;
}

} // namespace

FileId fileIdOf(const char* path) {
    struct stat info{};
    if (::stat(path, &info) != 0) return {0, 0};
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino)};
}

std::set<FileId> filesOpenForWriting(const std::set<pid_t>& groups) {
    std::set<FileId> files;
    if (groups.empty()) return files;
    eachNumber("/proc", [&](const std::string& pid) {
        const std::string process = "/proc/" + pid;
        const auto number = static_cast<pid_t>(std::strtol(pid.c_str(), nullptr, 10));
        if (!groups.contains(number) && !groups.contains(groupOf(process))) return;
        eachNumber(process + "/fd", [&](const std::string& fd) {
            struct stat info{};
            if (::stat((process + "/fd/" + fd).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
            if (isOpenForWriting(process, fd))
                files.insert({static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino)});
        });
    });
    return files;
}

} // namespace trainyard::program
