// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace trainyard {

// weight += factor * b a, with weight [rows, columns], a [rank, columns] and b [rows, rank], all row by row. The same
// bits on every call. The sizes fit together: rows and columns follow from `rank`, a and b.
void addLoraProduct(std::span<float> weight, std::span<const float> a, std::span<const float> b, std::size_t rank,
                    double factor);

} // namespace trainyard
