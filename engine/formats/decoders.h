// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/image.h"

namespace trainyard::formats {

// decodeImage() for bytes of one format. Their error has no place yet.
Result<Image> decodePng(std::span<const std::uint8_t> bytes);
Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes);

// Input when a header's sides are past the bounds of image.h.
Result<void> checkImageSize(std::int64_t width, std::int64_t height);

} // namespace trainyard::formats
