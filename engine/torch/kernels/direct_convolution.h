// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution by plain loops over rows of pixels. Faster than a matrix product where channels are few (the first layer
// of a small network), as a product of such matrices has a side of a few numbers.
#pragma once

#include <cstdint>

namespace trainyard::kernels {

// Stride 1, no dilation, one group; zeros around the image. Everything is dense float32.
struct ConvolutionShape {
    std::int64_t samples = 0, channels = 0, height = 0, width = 0; // of the input [samples, channels, height, width]
    std::int64_t filters = 0, kernelHeight = 0, kernelWidth = 0;   // of the weight [filters, channels, height, width]
    std::int64_t paddingHeight = 0, paddingWidth = 0;

    std::int64_t outHeight() const { return height + 2 * paddingHeight - kernelHeight + 1; }
    std::int64_t outWidth() const { return width + 2 * paddingWidth - kernelWidth + 1; }
};

// Whether there are loops for it.
inline bool hasDirectConvolution(std::int64_t kernelWidth) {
    return kernelWidth == 3 || kernelWidth == 5 || kernelWidth == 7;
}

// From `begin` on, without `end`.
struct Range {
    std::int64_t begin = 0, end = 0;
};

// For these of the samples: y [samples, filters, outHeight, outWidth] = x * weight + bias (null: none).
void convolve(const ConvolutionShape& shape, Range samples, const float* x, const float* weight, const float* bias,
              float* y);
// The sums over these samples: dw like the weight, and db [filters] (null: not wanted).
void convolutionGradient(const ConvolutionShape& shape, Range samples, const float* x, const float* dy, float* dw,
                         float* db);

} // namespace trainyard::kernels
