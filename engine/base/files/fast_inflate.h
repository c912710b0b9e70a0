// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace trainyard {

// Unpacks gzip data of one member, all of it, into `out`, which it has to fill; its checksum is checked. By libdeflate,
// which takes less than half of zlib's time, where that is installed (a LibTorch of Debian's brings it along). False
// when it is not, or when the data is anything else: then zlib reads it and says what is wrong.
bool inflateWhole(std::span<const std::byte> packed, std::span<std::byte> out);

} // namespace trainyard
