// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/placed_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard {

Result<PlacedReader> PlacedReader::open(const std::filesystem::path& path) {
    const std::string where = path.string();
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd) {
        if (errno == ENOENT || errno == ENOTDIR)
            return inputError("there is no such file", where, "check the path").withCode(ErrorCode::FileMissing);
        const std::string limit = limitRemedy(errno);
        return systemError("cannot open", where, limit.empty() ? "check its permissions" : limit);
    }
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0) return systemError("cannot read", where);
    if (!S_ISREG(info.st_mode)) return inputError("this is not a regular file", where, "name a file");
    return PlacedReader(std::move(fd), where, static_cast<std::uint64_t>(info.st_size));
}

Result<void> PlacedReader::read(std::uint64_t at, std::span<std::byte> out) const {
    while (!out.empty()) {
        const ssize_t got = ::pread(m_fd.get(), out.data(), out.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot read", m_name);
        if (got == 0)
            return inputError("is cut short", m_name + ", byte " + std::to_string(at), "copy or save the file again");
        at += static_cast<std::uint64_t>(got);
        out = out.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

} // namespace trainyard
