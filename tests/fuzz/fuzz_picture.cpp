// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/picture.h"
#include "tests/fuzz/require.h"

using namespace trainyard::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto picture = decodePicture({data, size}, "fuzz");
    if (!picture.ok()) {
        require(!picture.error().message.empty(), "an error has a message");
        return 0;
    }
    const std::size_t pixels = static_cast<std::size_t>(picture->width) * static_cast<std::size_t>(picture->height);
    require(pixels > 0 && pixels <= static_cast<std::size_t>(kMaxPicturePixels), "the picture is within its bounds");
    require(picture->pixels.size() == pixels * static_cast<std::size_t>(picture->channels), "every pixel is there");
    if (pixels > 1u << 20) return 0;
    const Picture small = resized(withChannels(*picture, 1), 7, 5, size % 2 == 0);
    require(small.pixels.size() == 35, "it has its new size");
    return 0;
}
