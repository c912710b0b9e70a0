// SPDX-License-Identifier: GPL-3.0-or-later
// Windows bitmaps: 1, 2, 4, 8, 16, 24 and 32 bits a pixel, packed by runs (RLE8, RLE4) or not, of all headers from
// OS/2's on. Alpha is dropped.
#include "engine/formats/images/byte_reader.h"
#include "engine/formats/images/decoders.h"

#include <algorithm>
#include <array>
#include <bit>

namespace trainyard::formats {

namespace {

constexpr std::size_t kFileHeader = 14;
constexpr std::uint32_t kPlain = 0, kRuns8 = 1, kRuns4 = 2, kMasks = 3, kMasksAlpha = 6;

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool grey() const { return red == green && green == blue; }
};

struct Bitmap {
    LittleBytes file;
    int width = 0, height = 0, bits = 0;
    bool fromTop = false;
    std::uint32_t packing = kPlain;
    std::size_t pixels = 0; // where they begin
    std::array<Colour, 256> palette{};
    std::array<std::uint32_t, 3> masks{}; // of red, green, blue

    std::size_t stride() const {
        return (static_cast<std::size_t>(width) * static_cast<std::size_t>(bits) + 31) / 32 * 4;
    }
    bool indexed() const { return bits <= 8; }
};

Error endsTooSoon() { return inputError("the BMP data ends too soon"); }

// The part of a pixel that a mask cuts out, as a level.
std::uint8_t levelOf(std::uint32_t pixel, std::uint32_t mask) {
    if (mask == 0) return 0;
    const int shift = std::countr_zero(mask);
    const std::uint64_t most = mask >> shift, value = (pixel & mask) >> shift;
    return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

void readPalette(Bitmap& bitmap, std::size_t at, std::size_t colours, std::size_t entry) {
    for (std::size_t i = 0; i < std::min<std::size_t>(colours, 256); ++i) {
        const std::size_t place = at + i * entry;
        bitmap.palette[i] = {static_cast<std::uint8_t>(bitmap.file.at(place + 2, 1)),
                             static_cast<std::uint8_t>(bitmap.file.at(place + 1, 1)),
                             static_cast<std::uint8_t>(bitmap.file.at(place, 1))};
    }
}

Result<Bitmap> readHeader(std::span<const std::uint8_t> bytes) {
    Bitmap bitmap{.file = {bytes}};
    const LittleBytes& file = bitmap.file;
    const std::size_t header = file.four(kFileHeader);
    const bool ofOs2 = header == 12;
    std::int64_t height = ofOs2 ? file.two(20) : static_cast<std::int32_t>(file.four(22));
    const std::int64_t width = ofOs2 ? file.two(18) : static_cast<std::int32_t>(file.four(18));
    bitmap.fromTop = height < 0;
    height = std::abs(height);
    TY_TRY(checkImageSize(width, height));
    bitmap.width = static_cast<int>(width);
    bitmap.height = static_cast<int>(height);
    bitmap.bits = static_cast<int>(file.two(ofOs2 ? 24 : 28));
    bitmap.packing = ofOs2 ? kPlain : file.four(30);
    bitmap.pixels = file.four(10);
    const int bits = bitmap.bits;
    const bool plain = bitmap.packing == kPlain &&
                       (bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32);
    const bool runs = (bitmap.packing == kRuns8 && bits == 8) || (bitmap.packing == kRuns4 && bits == 4);
    const bool masks = (bitmap.packing == kMasks || bitmap.packing == kMasksAlpha) && (bits == 16 || bits == 32);
    if (!plain && !runs && !masks)
        return inputError("is a BMP image of " + std::to_string(bits) + " bits a pixel and packing " +
                          std::to_string(bitmap.packing) + ", which is not read");
    const std::size_t afterHeader = kFileHeader + header;
    if (bits == 16) bitmap.masks = {0x7C00, 0x03E0, 0x001F};
    if (bits == 32) bitmap.masks = {0xFF0000, 0xFF00, 0xFF};
    if (masks) // behind the shortest header, else within it, which is the same place
        for (std::size_t i = 0; i < 3; ++i) bitmap.masks[i] = file.four(kFileHeader + 40 + 4 * i);
    if (bitmap.indexed()) {
        const std::size_t told = ofOs2 ? 0 : file.four(46);
        readPalette(bitmap, afterHeader, told > 0 ? told : std::size_t{1} << bits, ofOs2 ? 3 : 4);
    }
    return bitmap;
}

// The levels of one row, top row first.
void writePixel(Image& image, std::size_t place, const Colour& colour) {
    if (image.channels == 1) {
        image.pixels[place] = colour.red;
        return;
    }
    std::uint8_t* to = image.pixels.data() + 3 * place;
    to[0] = colour.red, to[1] = colour.green, to[2] = colour.blue;
}

std::size_t rowPlace(const Bitmap& bitmap, int y) {
    return static_cast<std::size_t>(bitmap.fromTop ? y : bitmap.height - 1 - y) *
           static_cast<std::size_t>(bitmap.width);
}

Colour colourAt(const Bitmap& bitmap, std::size_t row, int x) {
    const auto place = static_cast<std::size_t>(x);
    const LittleBytes& file = bitmap.file;
    switch (bitmap.bits) {
    case 16:
    case 32: {
        const int size = bitmap.bits / 8;
        const std::uint32_t pixel = file.at(row + place * static_cast<std::size_t>(size), size);
        return {levelOf(pixel, bitmap.masks[0]), levelOf(pixel, bitmap.masks[1]), levelOf(pixel, bitmap.masks[2])};
    }
    case 24: {
        const std::uint8_t* at = file.bytes.data() + row + 3 * place;
        return {at[2], at[1], at[0]};
    }
    default: {
        const auto bits = static_cast<std::size_t>(bitmap.bits);
        const std::uint32_t byte = file.at(row + place * bits / 8, 1);
        const std::size_t shift = 8 - bits - place * bits % 8;
        return bitmap.palette[byte >> shift & ((1u << bits) - 1)];
    }
    }
}

Result<void> readPlain(const Bitmap& bitmap, Image& image) {
    const std::size_t stride = bitmap.stride(), size = bitmap.file.bytes.size();
    // The filling of the last row may be missing.
    const std::size_t lastRow =
        (static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.bits) + 7) / 8;
    const std::size_t needed = stride * static_cast<std::size_t>(bitmap.height - 1) + lastRow;
    if (bitmap.pixels > size || size - bitmap.pixels < needed) return endsTooSoon();
    for (int y = 0; y < bitmap.height; ++y) {
        const std::size_t row = bitmap.pixels + static_cast<std::size_t>(y) * stride, to = rowPlace(bitmap, y);
        for (int x = 0; x < bitmap.width; ++x)
            writePixel(image, to + static_cast<std::size_t>(x), colourAt(bitmap, row, x));
    }
    return {};
}

// Runs of equal pixels (count, value), of different ones (0, count, values), and commands (0, 0 to 2).
Result<void> readRuns(const Bitmap& bitmap, Image& image) {
    const std::span<const std::uint8_t> bytes = bitmap.file.bytes;
    const bool nibbles = bitmap.packing == kRuns4;
    for (std::size_t i = 0; i < static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height); ++i)
        writePixel(image, i, bitmap.palette[0]); // what no run reaches
    int x = 0, y = 0;
    const auto put = [&](std::uint32_t value) {
        if (x < bitmap.width && y < bitmap.height)
            writePixel(image, rowPlace(bitmap, y) + static_cast<std::size_t>(x), bitmap.palette[value]);
        ++x;
    };
    for (std::size_t at = bitmap.pixels;;) {
        if (at >= bytes.size() || bytes.size() - at < 2) return endsTooSoon();
        const std::uint8_t count = bytes[at], value = bytes[at + 1];
        at += 2;
        if (count > 0) {
            for (int i = 0; i < count; ++i) put(!nibbles ? value : i % 2 == 0 ? value >> 4 : value & 15u);
        } else if (value == 0) {
            x = 0, ++y;
        } else if (value == 1) {
            return {};
        } else if (value == 2) {
            if (bytes.size() - at < 2) return endsTooSoon();
            x += bytes[at], y += bytes[at + 1];
            at += 2;
        } else {
            const std::size_t size = nibbles ? (value + 1u) / 2 : value;
            if (bytes.size() - at < size) return endsTooSoon();
            for (int i = 0; i < value; ++i) {
                const std::uint8_t byte = bytes[at + static_cast<std::size_t>(nibbles ? i / 2 : i)];
                put(!nibbles ? byte : i % 2 == 0 ? byte >> 4 : byte & 15u);
            }
            at += (size + 1) / 2 * 2;
        }
        x = std::min(x, bitmap.width);
        if (y >= bitmap.height) return {};
    }
}

} // namespace

Result<void> decodeBmp(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    TY_ASSIGN(const Bitmap bitmap, readHeader(bytes));
    const bool grey = bitmap.indexed() && std::all_of(bitmap.palette.begin(), bitmap.palette.end(),
                                                      [](const Colour& colour) { return colour.grey(); });
    if (bitmap.packing == kPlain && bytes.size() < bitmap.stride() * static_cast<std::size_t>(bitmap.height - 1))
        return endsTooSoon(); // before anything is reserved
    beginWhole({bitmap.width, bitmap.height, 1}, grey ? 1 : 3, choose, into);
    return bitmap.packing == kRuns8 || bitmap.packing == kRuns4 ? readRuns(bitmap, into.image)
                                                                : readPlain(bitmap, into.image);
}

} // namespace trainyard::formats
