// SPDX-License-Identifier: GPL-3.0-or-later
// The orientation of an image as cameras note it: Exif 2.3, tag 0x0112 of the first directory of a TIFF block.
#include "engine/formats/images/decoders.h"

#include <algorithm>

namespace trainyard::formats {
namespace {

constexpr std::uint32_t kOrientationTag = 0x0112, kShort = 3;
constexpr std::size_t kEntryBytes = 12;

// A TIFF block, of either byte order; what lies outside of it reads as 0.
struct Tiff {
    std::span<const std::uint8_t> bytes;
    bool little = false;

    std::uint32_t number(std::size_t at, std::size_t size) const {
        if (at > bytes.size() || size > bytes.size() - at) return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[at + (little ? size - 1 - i : i)];
        return value;
    }
};

// Where the pixel at (x, y) of the upright image is stored. `width` and `height` are those of the stored image.
struct Place {
    int x = 0, y = 0;
};
Place storedPlace(int orientation, int x, int y, int width, int height) {
    switch (orientation) {
    case 2: return {width - 1 - x, y};              // mirrored
    case 3: return {width - 1 - x, height - 1 - y}; // upside down
    case 4: return {x, height - 1 - y};
    case 5: return {y, x}; // from here on rows and columns are exchanged
    case 6: return {y, height - 1 - x};
    case 7: return {width - 1 - y, height - 1 - x};
    case 8: return {width - 1 - y, x};
    default: return {x, y};
    }
}

} // namespace

Rectangle asStored(const Rectangle& upright, const StoredHeader& header) {
    const auto& [x, y, width, height] = upright;
    const double right = header.width - x - width, below = header.height - y - height;
    const double fromRight = header.width - y - height, fromBelow = header.height - x - width; // with sides exchanged
    switch (header.orientation) {
    case 2: return {right, y, width, height};
    case 3: return {right, below, width, height};
    case 4: return {x, below, width, height};
    case 5: return {y, x, height, width};
    case 6: return {y, fromBelow, height, width};
    case 7: return {fromRight, fromBelow, height, width};
    case 8: return {fromRight, x, height, width};
    default: return upright;
    }
}

int orientationIn(std::span<const std::uint8_t> block) {
    Tiff tiff{block};
    if (block.size() < 8 || block[0] != block[1] || (block[0] != 'I' && block[0] != 'M')) return 1;
    tiff.little = block[0] == 'I';
    if (tiff.number(2, 2) != 42) return 1;
    const std::size_t directory = tiff.number(4, 4), entries = tiff.number(directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * kEntryBytes;
        if (entry >= block.size()) return 1;
        if (tiff.number(entry, 2) != kOrientationTag) continue;
        const std::uint32_t value = tiff.number(entry + 8, 2);
        const bool known = tiff.number(entry + 2, 2) == kShort && value >= 1 && value <= 8;
        return known ? static_cast<int>(value) : 1;
    }
    return 1;
}

Image upright(Image image, int orientation) {
    if (orientation <= 1 || orientation > 8) return image;
    const bool exchanged = orientation >= 5;
    Image turned{exchanged ? image.height : image.width, exchanged ? image.width : image.height, image.channels, {}};
    turned.recovered = image.recovered;
    turned.pixels.resize(image.pixels.size());
    const auto channels = static_cast<std::ptrdiff_t>(image.channels);
    std::uint8_t* to = turned.pixels.data();
    for (int y = 0; y < turned.height; ++y)
        for (int x = 0; x < turned.width; ++x, to += channels) {
            const Place from = storedPlace(orientation, x, y, image.width, image.height);
            std::copy_n(image.pixels.data() + (std::ptrdiff_t{from.y} * image.width + from.x) * channels, channels, to);
        }
    return turned;
}

} // namespace trainyard::formats
