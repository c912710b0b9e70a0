// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/cifar.h"
#include "engine/formats/idx.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard::formats;

// CIFAR's records have no header to speak of, so they share the target.
TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    for (const std::size_t dimensions : {1u, 3u}) {
        std::vector<std::uint8_t> items;
        const auto sizes = readIdx(file.path(), dimensions, [&](const std::vector<std::int64_t>& promised) {
            std::size_t bytes = 1;
            for (const std::int64_t each : promised) bytes *= static_cast<std::size_t>(each);
            require(bytes <= size * 1032 + 64, "no more room is asked for than the file can fill");
            items.resize(bytes);
            return items.data();
        });
        require(sizes.ok() || !sizes.error().message.empty(), "an error has a message");
        require(!sizes.ok() || sizes->size() == dimensions, "a size for each dimension");
    }
    const CifarLayout layout{{10}};
    const auto records = countCifar(file.path(), layout);
    if (!records.ok()) return 0;
    std::vector<std::uint8_t> images(static_cast<std::size_t>(*records * kCifarImageBytes)),
        labels(static_cast<std::size_t>(*records));
    if (!readCifar(file.path(), layout, *records, 0, images.data(), labels.data()).ok()) return 0;
    for (const std::uint8_t label : labels) require(label < 10, "every label is a class");
    return 0;
}
