// SPDX-License-Identifier: GPL-3.0-or-later
// WebP by libwebp: lossy, lossless, and the first frame of one that moves, on its canvas. Alpha is dropped.
#include "engine/formats/images/byte_reader.h"
#include "engine/formats/images/decoders.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <webp/decode.h>

namespace trainyard::formats {

namespace {

constexpr std::size_t kRiffHeader = 12, kChunkHeader = 8, kFrameHeader = 16;

// The content of the first chunk of that name; empty where there is none.
std::span<const std::uint8_t> chunk(std::span<const std::uint8_t> bytes, std::string_view name) {
    const LittleBytes numbers{bytes};
    for (std::size_t at = kRiffHeader; at < bytes.size() && bytes.size() - at >= kChunkHeader;) {
        const std::size_t size = numbers.four(at + 4), content = at + kChunkHeader;
        if (std::memcmp(bytes.data() + at, name.data(), 4) == 0)
            return bytes.subspan(content, std::min(size, bytes.size() - content));
        if (size > bytes.size()) break;
        at = content + size + size % 2;
    }
    return {};
}

// Some programs write the name of JPEG's segment before the block.
int orientationOf(std::span<const std::uint8_t> bytes) {
    std::span<const std::uint8_t> block = chunk(bytes, "EXIF");
    if (block.size() > 6 && std::memcmp(block.data(), "Exif\0\0", 6) == 0) block = block.subspan(6);
    return orientationIn(block);
}

struct Frame {
    std::span<const std::uint8_t> data;
    int left = 0, top = 0, width = 0, height = 0;
};

Result<Frame> firstFrame(std::span<const std::uint8_t> bytes) {
    const std::span<const std::uint8_t> content = chunk(bytes, "ANMF");
    if (content.size() <= kFrameHeader) return inputError("is a WebP image without a frame");
    const LittleBytes numbers{content};
    return Frame{content.subspan(kFrameHeader), static_cast<int>(numbers.at(0, 3) * 2),
                 static_cast<int>(numbers.at(3, 3) * 2), static_cast<int>(numbers.at(6, 3)) + 1,
                 static_cast<int>(numbers.at(9, 3)) + 1};
}

} // namespace

Result<void> decodeWebp(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    WebPBitstreamFeatures features{};
    if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
        return inputError("the WebP data is damaged: its header cannot be read");
    TY_TRY(checkImageSize(features.width, features.height));
    Frame frame{bytes, 0, 0, features.width, features.height};
    if (features.has_animation != 0) {
        TY_ASSIGN(frame, firstFrame(bytes));
        WebPBitstreamFeatures ofFrame{};
        if (WebPGetFeatures(frame.data.data(), frame.data.size(), &ofFrame) != VP8_STATUS_OK ||
            ofFrame.width != frame.width || ofFrame.height != frame.height ||
            frame.left + frame.width > features.width || frame.top + frame.height > features.height)
            return inputError("the WebP data is damaged: its first frame does not fit");
    }
    beginWhole({features.width, features.height, orientationOf(bytes)}, 3, choose, into);
    if (features.has_animation != 0) std::fill(into.image.pixels.begin(), into.image.pixels.end(), std::uint8_t{0});
    const std::size_t stride = 3 * static_cast<std::size_t>(features.width);
    const std::size_t offset = static_cast<std::size_t>(frame.top) * stride + 3 * static_cast<std::size_t>(frame.left);
    if (WebPDecodeRGBInto(frame.data.data(), frame.data.size(), into.image.pixels.data() + offset,
                          into.image.pixels.size() - offset, static_cast<int>(stride)) == nullptr)
        return inputError("the WebP data is damaged or ends too soon");
    return {};
}

} // namespace trainyard::formats
