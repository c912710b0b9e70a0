// SPDX-License-Identifier: GPL-3.0-or-later
// The binary version of CIFAR-10 and CIFAR-100 (https://www.cs.toronto.edu/~kriz/cifar.html): records of one or two
// label bytes, then 3072 bytes of a 32 x 32 image, plane by plane: red, green, blue. No header, no checksum.
#pragma once

#include "engine/base/files/file_reader.h"

#include <vector>

namespace trainyard::formats {

inline constexpr std::int64_t kCifarImageBytes = 3 * 32 * 32;

// The label bytes of a record, in order, and how many classes each has.
struct CifarLayout {
    std::vector<int> labelClasses; // {10}, or {20, 100}: coarse, then fine
    std::int64_t recordBytes() const { return static_cast<std::int64_t>(labelClasses.size()) + kCifarImageBytes; }
};

// How many records the file has, from its size (for a packed one: by reading it). Input: a size that is not a multiple
// of a record, or none; Environment: it cannot be read.
Result<std::int64_t> countCifar(const std::filesystem::path& file, const CifarLayout& layout);

// Reads one file's `records` into `images` [records, 3, 32, 32] and the label byte number `label` of each record into
// `labels` [records]. Input: a label out of range names its byte; cut short; more follows.
Result<void> readCifar(const std::filesystem::path& file, const CifarLayout& layout, std::int64_t records,
                       std::size_t label, std::uint8_t* images, std::uint8_t* labels);

} // namespace trainyard::formats
