// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/fuzz/require.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

// The fuzzer's bytes as a file in memory, for parsers that read files.
class FileOf {
public:
    FileOf(const std::uint8_t* data, std::size_t size) : m_fd(::memfd_create("fuzz", MFD_CLOEXEC)) {
        require(m_fd >= 0 && ::write(m_fd, data, size) == static_cast<ssize_t>(size), "the file can be made");
    }
    ~FileOf() { ::close(m_fd); }
    FileOf(const FileOf&) = delete;
    FileOf& operator=(const FileOf&) = delete;

    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(m_fd); }

private:
    int m_fd;
};
