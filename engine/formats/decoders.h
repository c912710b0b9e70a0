// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/image.h"

namespace trainyard::formats {

// decodeImage() for bytes of one format, turned upright. Their error has no place yet.
Result<Image> decodePng(std::span<const std::uint8_t> bytes);
Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes);

// What an Exif block says of how the image is to be turned, 1 to 8; 1, as it is stored, where it says nothing that
// makes sense.
int orientationIn(std::span<const std::uint8_t> block);
// The image turned and mirrored as that number asks.
Image upright(Image image, int orientation);

// Input when a header's sides are past the bounds of image.h.
Result<void> checkImageSize(std::int64_t width, std::int64_t height);

} // namespace trainyard::formats
