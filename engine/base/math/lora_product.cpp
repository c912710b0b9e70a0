// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/lora_product.h"

#include <algorithm>
#include <vector>

namespace trainyard {

void addLoraProduct(std::span<float> weight, std::span<const float> a, std::span<const float> b, std::size_t rank,
                    double factor) {
    if (rank == 0) return;
    const std::size_t rows = b.size() / rank, columns = a.size() / rank;
    std::vector<float> sum(columns);
    for (std::size_t row = 0; row < rows; ++row) {
        std::ranges::fill(sum, 0.0F);
        for (std::size_t r = 0; r < rank; ++r) {
            const float by = b[row * rank + r];
            const float* from = a.data() + r * columns;
            for (std::size_t i = 0; i < columns; ++i) sum[i] += by * from[i];
        }
        float* to = weight.data() + row * columns;
        for (std::size_t i = 0; i < columns; ++i) to[i] += static_cast<float>(factor) * sum[i];
    }
}

} // namespace trainyard
