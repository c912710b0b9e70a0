// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trainyard::serve {

// A line for each request: when, what, the status, how long, and which version. Never a token, nor what was asked. Best
// effort: the lines are collected here, and written by whoever takes them.
class AccessLog {
public:
    // Whether the next request is written down; counts it.
    bool takes(int status);
    void add(std::string_view method, std::string_view path, int status, double ms, std::string_view version);
    // What was added since the last call.
    std::string take();
    // Of as many requests a second, only errors are written: a disk is not to be the limit.
    static constexpr int kMostPerSecond = 1000;

private:
    std::string m_lines;
    std::int64_t m_second = 0, m_inSecond = 0;
};

// The file of such lines. Full at 16 MiB, when it begins anew and the one before stays as access.log.1.
class AccessFile {
public:
    explicit AccessFile(std::filesystem::path file);
    // Whole lines; what does not fit on the disk is lost.
    void append(std::string_view lines);

private:
    void open();

    const std::filesystem::path m_path;
    UniqueFd m_file;
    std::int64_t m_bytes = 0;
};

} // namespace trainyard::serve
