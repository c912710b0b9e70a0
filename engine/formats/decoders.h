// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/picture.h"

namespace trainyard::formats {

// decodePicture() for bytes of one format. Their error has no place yet.
Result<Picture> decodePng(std::span<const std::uint8_t> bytes);
Result<Picture> decodeJpeg(std::span<const std::uint8_t> bytes);

// Input when a header's sides are past the bounds of picture.h.
Result<void> checkPictureSize(std::int64_t width, std::int64_t height);

} // namespace trainyard::formats
