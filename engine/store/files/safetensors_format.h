// SPDX-License-Identifier: GPL-3.0-or-later
// What writing and reading safetensors share. Only for engine/store.
#pragma once

#include "engine/store/files/safetensors.h"

#include <optional>

namespace trainyard::store {

inline constexpr std::size_t kLengthSize = 8;
inline constexpr std::uint64_t kMaxHeader = 100'000'000; // the format's own limit
inline constexpr const char* kMetadataKey = "__metadata__";
// JSON text {tensor name: eight hex digits}, and under the empty name the digest of the header.
inline constexpr const char* kChecksumKey = "crc32c";
// Says that the key above is there, so that damage to the key itself does not pass for a file without checksums.
inline constexpr const char* kChecksumMark = "checksums";

// Bytes of a tensor; nothing when a dimension is negative or the product overflows.
std::optional<std::uint64_t> tensorSize(const std::string& dtype, const std::vector<std::int64_t>& shape);
// CRC-32C over the metadata (but its checksums) and the name, dtype and shape of every tensor, in order of name: the
// part of the header that no tensor's checksum covers.
std::uint32_t headerDigest(const std::vector<TensorInfo>& tensors, const Metadata& metadata);
std::string hexText(std::uint32_t value);

} // namespace trainyard::store
