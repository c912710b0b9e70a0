// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a tensor from JSON into bytes.
#pragma once

#include "engine/base/result.h"
#include "engine/serve/values/model_signature.h"

#include <cstddef>
#include <string>
#include <vector>

namespace simdjson::dom {
class element;
}

namespace trainyard::serve {

inline constexpr std::size_t kMaxElements = std::size_t(1) << 27; // of one tensor: 1 GB of the largest

// Appends exactly `elements` elements, which may be nested in lists as their shape is, or not. Input: too few or many,
// one that is none of the type or beyond its range; `where` with its place in the order of memory, as "….data[3]".
Result<void> readElements(const simdjson::dom::element& data, TensorType type, std::size_t elements,
                          const std::string& where, std::vector<std::byte>& memory);

} // namespace trainyard::serve
