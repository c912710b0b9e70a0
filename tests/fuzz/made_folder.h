// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/fuzz/require.h"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

// A folder of this process, in memory where there is such a place, for parsers that read folders; made once and removed
// at the end.
class MadeFolder {
public:
    MadeFolder() {
        std::error_code ignored;
        const bool memory = std::filesystem::is_directory("/dev/shm", ignored);
        std::string name = (memory ? std::string("/dev/shm") : std::filesystem::temp_directory_path().string()) +
                           "/trainyard-fuzz-XXXXXX";
        require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
        m_path = name;
    }
    ~MadeFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    MadeFolder(const MadeFolder&) = delete;
    MadeFolder& operator=(const MadeFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    // The file of this name, which holds `bytes` afterwards; its folder is made.
    std::filesystem::path write(const std::filesystem::path& name, std::string_view bytes) const {
        const auto file = m_path / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary | std::ios::trunc)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return file;
    }

private:
    std::filesystem::path m_path;
};

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}
