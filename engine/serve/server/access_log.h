// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace trainyard::serve {

// A line for each request: when, what, the status, how long, and which version. Never a token, nor what was asked. Full
// at 16 MiB, when it begins anew and the one before stays as access.log.1. Best effort.
class AccessLog {
public:
    explicit AccessLog(std::filesystem::path file);
    // Whether the next request is written down; counts it.
    bool takes(int status);
    void add(std::string_view method, std::string_view path, int status, double ms, std::string_view version);
    void flush(); // a second at most is lost with the process
    // Of as many requests a second, only errors are written: a disk is not to be the limit.
    static constexpr int kMostPerSecond = 1000;

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void open();

    const std::filesystem::path m_path;
    std::unique_ptr<std::FILE, Close> m_file;
    std::int64_t m_bytes = 0, m_second = 0, m_inSecond = 0;
};

} // namespace trainyard::serve
