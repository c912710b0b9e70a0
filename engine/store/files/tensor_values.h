// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a safetensors tensor as numbers, whatever they are stored as.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace trainyard::store {

// Reads out.size() values from the one with index `first` on. Precise but for integers beyond 2^53; of a complex
// number its absolute value. `bytes` are the tensor's
// (SafetensorsFile::bytes); the dtype is one of TensorInfo's.
void readValues(const std::string& dtype, std::span<const std::byte> bytes, std::size_t first, std::span<double> out);

} // namespace trainyard::store
