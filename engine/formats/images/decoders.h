// SPDX-License-Identifier: GPL-3.0-or-later
// The decoders of the kinds of images. Each reads a window of the image as it is stored, or more than that where its
// format gives no less.
#pragma once

#include "engine/formats/images/image.h"

#include <functional>

namespace trainyard::formats {

// What is known of an image before a pixel is decoded.
struct StoredHeader {
    int width = 0, height = 0; // as it is stored
    int orientation = 1;       // how it is to be turned, as Exif numbers it
    bool shrinks = false;      // Window::shrink may be more than 1
};

// A rectangle of the stored image, divided by `shrink`: the places are those of the image that is that much smaller.
struct Window {
    int left = 0, top = 0, width = 0, height = 0;
    int shrink = 1; // 1, 2, 4 or 8: each pixel is the mean of as many by as many
};

// Which window is wanted; inside of the image.
using ChooseWindow = std::function<Window(const StoredHeader&)>;

// What a decoder gives.
struct Decoded {
    Image image; // of the window, not turned; its memory is used again by the next decoding into it
    StoredHeader header;
    Window window;                     // what there is: at least what was chosen
    int fullWidth = 0, fullHeight = 0; // of the whole image at window.shrink
};

// Damage outside of the window may stay unnoticed, and where the window is the whole image it is noticed. Their error
// has no place yet.
using Decode = Result<void>(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into);
Decode decodePng, decodeJpeg, decodeWebp, decodeTiff, decodeBmp, decodeGif;

// The window of an image of any kind, told apart by its first bytes. Errors as decodeImage().
Result<void> decodeWindow(std::span<const std::uint8_t> bytes, const std::string& name, const ChooseWindow& choose,
                          Decoded& into);
// The bytes of a file for it. Errors as readImage().
Result<std::string> readImageFile(const std::filesystem::path& file);

// Makes room for the whole image, where no less can be decoded; `choose` is only told of the header.
void beginWhole(const StoredHeader& header, int channels, const ChooseWindow& choose, Decoded& into);
// Makes room for the window; its pixels keep what they had.
void beginWindow(const Window& window, int channels, Decoded& into);

// What an Exif block says of how the image is to be turned, 1 to 8; 1, as it is stored, where it says nothing that
// makes sense.
int orientationIn(std::span<const std::uint8_t> block);
// The image turned and mirrored as that number asks.
Image upright(Image image, int orientation);
// A rectangle of the upright image as one of the stored image, whose sides are given; places may be fractions.
struct Rectangle {
    double left = 0, top = 0, width = 0, height = 0;
};
Rectangle asStored(const Rectangle& upright, const StoredHeader& header);

// Input when a header's sides are past the bounds of image.h.
Result<void> checkImageSize(std::int64_t width, std::int64_t height);

} // namespace trainyard::formats
