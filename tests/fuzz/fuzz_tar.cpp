// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/tar.h"
#include "tests/fuzz/file_of.h"

#include <unistd.h>

namespace {

// Made once, in memory where there is such a place.
const std::filesystem::path& folder() {
    static const std::filesystem::path path = [] {
        std::error_code ignored;
        const bool memory = std::filesystem::is_directory("/dev/shm", ignored);
        std::string name = (memory ? std::string("/dev/shm") : std::filesystem::temp_directory_path().string()) +
                           "/trainyard-fuzz-XXXXXX";
        require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
        static const struct Remove {
            std::string name;
            ~Remove() {
                std::error_code problem;
                std::filesystem::remove_all(name, problem);
            }
        } remove{name};
        return std::filesystem::path(name);
    }();
    return path;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FileOf file(data, size);
    const auto unpacked = trainyard::fetch::unpackTar(file.path(), {{"a.bin", 10}, {"b.bin", 600}}, folder());
    require(unpacked.ok() || !unpacked.error().message.empty(), "an error has a message");
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        const std::string name = entry.path().filename().string();
        require(name == "a.bin" || name == "b.bin", "nothing but the members asked for is written");
        require(entry.file_size() == (name == "a.bin" ? 10u : 600u), "members are whole");
    }
    return 0;
}
