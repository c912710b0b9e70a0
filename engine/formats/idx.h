// SPDX-License-Identifier: GPL-3.0-or-later
// The IDX format of MNIST (http://yann.lecun.com/exdb/mnist/): two zero bytes, a type code, the number of dimensions,
// each size as a big-endian uint32, then the items. Read raw or through gzip.
#pragma once

#include "engine/base/files/file_reader.h"

#include <functional>
#include <vector>

namespace trainyard::formats {

// Allocates the buffer for the items of a file: receives their sizes and returns room for the product of them, in
// bytes. May throw when there is not enough memory.
using Allocate = std::function<std::uint8_t*(const std::vector<std::int64_t>& sizes)>;

// The sizes in the header of an IDX file of unsigned bytes with `dimensions` dimensions. Reads the header alone.
Result<std::vector<std::int64_t>> readIdxHeader(const std::filesystem::path& file, std::size_t dimensions);

// The whole file into the room that `allocate` gives for the header's sizes; gives the sizes. Never reads or allocates
// more than the header and the file's own size allow. Input: what is wrong, at which byte of the (unpacked) content;
// Environment: it cannot be read. Throws what `allocate` throws.
Result<std::vector<std::int64_t>> readIdx(const std::filesystem::path& file, std::size_t dimensions,
                                          const Allocate& allocate);

} // namespace trainyard::formats
