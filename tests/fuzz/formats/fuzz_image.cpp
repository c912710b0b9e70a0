// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/image_region.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <algorithm>

using namespace trainyard::formats;

// A part of it has the bits that it has in the whole.
static void checkPart(const std::uint8_t* data, std::size_t size, const Image& whole) {
    std::uint8_t part[3 * 5 * 4], expected[3 * 5 * 4];
    Rectangle area;
    const auto choose = [&](int width, int height) {
        const auto share = [&](std::size_t at) { return data[at % size] / 255.0; };
        area.width = 1 + share(30) * (width - 1);
        area.height = 1 + share(31) * (height - 1);
        area.left = share(32) * (width - area.width);
        area.top = share(33) * (height - area.height);
        return area;
    };
    const auto facts = RegionReader().decode({data, size}, "fuzz", choose, {5, 4, 3, part, size % 3 == 0});
    if (!facts.ok() || size % 3 == 0) return; // pixels taken as means differ
    const Image image = withChannels(whole, 3);
    Resampler().run({image.pixels.data(), 0, 0, image.width, image.height, 3, image.width, image.height}, area.left,
                    area.top, area.width, area.height, {expected, 5, 4, 3, true});
    require(std::equal(std::begin(part), std::end(part), std::begin(expected)), "a part is as in the whole");
}

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto image = decodeImage({data, size}, "fuzz");
    if (!image.ok()) {
        require(!image.error().message.empty(), "an error has a message");
        return 0;
    }
    const std::size_t pixels = static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
    require(pixels > 0 && pixels <= static_cast<std::size_t>(kMaxImagePixels), "the image is within its bounds");
    require(image->pixels.size() == pixels * static_cast<std::size_t>(image->channels), "every pixel is there");
    if (pixels > 1u << 20) return 0;
    checkPart(data, size, *image);
    const Image small = resized(withChannels(*image, 1), 7, 5, size % 2 == 0);
    require(small.pixels.size() == 35, "it has its new size");
    return 0;
}
