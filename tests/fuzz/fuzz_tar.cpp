// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/tar.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/target.h"

TRAINYARD_FUZZ_TARGET(data, size) {
    static const MadeFolder folder;
    const FileOf file(data, size);
    const auto unpacked = trainyard::fetch::unpackTar(file.path(), {{"a.bin", 10}, {"b.bin", 600}}, folder.path());
    require(unpacked.ok() || !unpacked.error().message.empty(), "an error has a message");
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        require(name == "a.bin" || name == "b.bin", "nothing but the members asked for is written");
        require(entry.file_size() == (name == "a.bin" ? 10u : 600u), "members are whole");
    }
    return 0;
}
