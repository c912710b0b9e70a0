// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard::kernels {

// The shapes of one pooling.
struct PoolingShape {
    std::int64_t planes = 0, height = 0, width = 0; // of the input, dense: planes = samples x channels
    std::int64_t side = 0, stride = 0, padding = 0; // of the square window

    std::int64_t outHeight() const { return (height + 2 * padding - side) / stride + 1; }
    std::int64_t outWidth() const { return (width + 2 * padding - side) / stride + 1; }
};

// y [planes, outHeight, outWidth]: the greatest number of each window, and in `places` where in its plane it was found:
// the first of several, a NaN before all, as in LibTorch.
void maxPool(const PoolingShape& shape, const float* x, float* y, std::int32_t* places);
// dx, all of it: dy where the greatest numbers were, sums where windows share one.
void maxPoolGradient(const PoolingShape& shape, const float* dy, const std::int32_t* places, float* dx);

} // namespace trainyard::kernels
