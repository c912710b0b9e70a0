// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace trainyard {

// A regular file that is read at any place and never mapped: one that another process cuts meanwhile costs an error,
// where a map would end this process.
class PlacedReader {
public:
    // Input: it is missing, or no regular file (a FIFO or device is never waited for). Environment: it cannot be read.
    static Result<PlacedReader> open(const std::filesystem::path& path);

    std::uint64_t size() const { return m_size; } // when it was opened
    const std::string& name() const { return m_name; }
    // All of `out`. Input, with the byte: the file ends before. Environment: it cannot be read.
    Result<void> read(std::uint64_t at, std::span<std::byte> out) const;

private:
    PlacedReader(UniqueFd fd, std::string name, std::uint64_t size)
        : m_fd(std::move(fd)), m_name(std::move(name)), m_size(size) {}

    UniqueFd m_fd;
    std::string m_name;
    std::uint64_t m_size;
};

} // namespace trainyard
