// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace trainyard::run {

// Keeps what a program prints from filling the disk. Of a file that takes more room than it may, the middle is given
// back to the disk: head and tail stay, at the same places, and zeros are read between them. The program, which appends
// to the file, does not notice.
class OutputCap {
public:
    struct Limits { // bytes
        std::int64_t most = 256 << 20;
        std::int64_t head = 64 << 20, tail = 128 << 20; // that stay
    };
    explicit OutputCap(std::filesystem::path file, const Limits& limits) : m_file(std::move(file)), m_limits(limits) {}
    explicit OutputCap(std::filesystem::path file) : OutputCap(std::move(file), Limits()) {}

    // Looks about once a second. Where the disk cannot give back a part of a file, nothing happens.
    void look(double now);

private:
    std::filesystem::path m_file;
    Limits m_limits;
    double m_due = 0;
};

} // namespace trainyard::run
