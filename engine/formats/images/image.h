// SPDX-License-Identifier: GPL-3.0-or-later
// Images, told apart by their first bytes, not by their name.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trainyard::formats {

struct Image {
    int width = 0, height = 0, channels = 0; // 1: grey, 3: red, green, blue
    std::vector<std::uint8_t> pixels;        // height * width * channels, row by row, channels last
    bool recovered = false;                  // the file is not as it should be, and no pixel was lost by it
};

// What a file of pixels is by its first bytes.
enum class ImageKind { None, Png, Jpeg, Webp, Tiff, Bmp, Gif };
ImageKind imageKindOf(std::span<const std::uint8_t> bytes);

// Larger images are refused from their header alone.
inline constexpr int kMaxImageSide = 16384;
inline constexpr std::int64_t kMaxImagePixels = std::int64_t{1} << 26;

// 8 bits a channel: 16 bits are scaled down, transparency is dropped, palettes are looked up, CMYK becomes red, green,
// blue; grey stays one channel. The image is turned upright as its Exif block says (PNG: the chunk eXIf, TIFF: its
// own tag); one that cannot be read is ignored. Of a moving GIF or WebP it is the first frame, of a TIFF the first
// page. Colour profiles are not applied. Input: no such kind, damaged or truncated, too large; `name` is where they say
// it is.
Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name);

// The file, at most 256 MiB. Also Input: no regular file; Environment: it cannot be read.
Result<Image> readImage(const std::filesystem::path& file);

// To one or three channels: grey is 0.299 R + 0.587 G + 0.114 B.
Image withChannels(const Image& image, int channels);

// `crop`: the middle of the image with the new sides' ratio; else the whole image is stretched. Each pixel is the
// mean of those that it covers, weighted by a triangle, so that nothing flickers when an image shrinks.
Image resized(const Image& image, int width, int height, bool crop);

} // namespace trainyard::formats
