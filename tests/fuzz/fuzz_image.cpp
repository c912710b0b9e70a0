// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/image.h"
#include "tests/fuzz/require.h"

using namespace trainyard::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto image = decodeImage({data, size}, "fuzz");
    if (!image.ok()) {
        require(!image.error().message.empty(), "an error has a message");
        return 0;
    }
    const std::size_t pixels = static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
    require(pixels > 0 && pixels <= static_cast<std::size_t>(kMaxImagePixels), "the image is within its bounds");
    require(image->pixels.size() == pixels * static_cast<std::size_t>(image->channels), "every pixel is there");
    if (pixels > 1u << 20) return 0;
    const Image small = resized(withChannels(*image, 1), 7, 5, size % 2 == 0);
    require(small.pixels.size() == 35, "it has its new size");
    return 0;
}
