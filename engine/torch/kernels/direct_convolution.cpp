// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/direct_convolution.h"

#include "engine/torch/kernels/vector_clones.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace trainyard::kernels {
namespace {

constexpr std::int64_t kLanes = 8;   // pixels of a row at a time: the vectors of AVX2
constexpr std::int64_t kFilters = 3; // filters at a time: their sums stay in registers

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

using LaneFlags = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

// By reference: vectors have no calling convention that all processors share.
TRAINYARD_INLINE void load(Lanes& lanes, const float* from) { std::memcpy(&lanes, from, sizeof lanes); }

// The row's numbers from x on, in the place of those from `at` on; zeros before x.
TRAINYARD_INLINE void loadLast(Lanes& lanes, const float* row, std::int64_t at, std::int64_t x, std::int64_t width) {
    if (width < kLanes) {
        lanes = Lanes{};
        std::memcpy(&lanes, row, static_cast<std::size_t>(width) * sizeof(float));
        return;
    }
    load(lanes, row + at);
    if (at == x) return;
    constexpr LaneFlags kPlaces{0, 1, 2, 3, 4, 5, 6, 7};
    lanes = kPlaces >= static_cast<std::int32_t>(x - at) ? lanes : Lanes{};
}

// One sample with its border of zeros. Rows may be read up to a vector past their end.
class PaddedSample {
public:
    explicit PaddedSample(const ConvolutionShape& shape)
        : m_shape(shape), m_width(shape.width + 2 * shape.paddingWidth),
          m_height(shape.height + 2 * shape.paddingHeight),
          m_pixels(static_cast<std::size_t>(shape.channels * m_height * m_width + kLanes)) {}

    void fill(const float* sample) {
        for (std::int64_t c = 0; c < m_shape.channels; ++c)
            for (std::int64_t y = 0; y < m_shape.height; ++y)
                std::copy_n(sample + (c * m_shape.height + y) * m_shape.width, m_shape.width,
                            m_pixels.data() + (c * m_height + y + m_shape.paddingHeight) * m_width +
                                m_shape.paddingWidth);
    }
    const float* row(std::int64_t channel, std::int64_t y) const {
        return m_pixels.data() + (channel * m_height + y) * m_width;
    }

private:
    const ConvolutionShape& m_shape;
    std::int64_t m_width, m_height;
    std::vector<float> m_pixels;
};

// Filters [first, first + Count) of one sample, for the row y of the result.
template <int Count>
TRAINYARD_INLINE void convolveRow(const ConvolutionShape& s, const PaddedSample& sample, const float* weight,
                                  const float* bias, std::int64_t first, std::int64_t y, float* out) {
    const std::int64_t width = s.outWidth(), area = s.outHeight() * width;
    const std::int64_t taps = s.channels * s.kernelHeight * s.kernelWidth;
    for (std::int64_t x = 0; x < width; x += kLanes) {
        const std::int64_t at = std::max<std::int64_t>(0, std::min(x, width - kLanes)); // the last ones overlap
        std::array<Lanes, Count> sums;
        for (int f = 0; f < Count; ++f) sums[static_cast<std::size_t>(f)] = Lanes{} + (bias ? bias[first + f] : 0.0F);
        const float* w = weight + first * taps;
        for (std::int64_t c = 0; c < s.channels; ++c)
            for (std::int64_t ky = 0; ky < s.kernelHeight; ++ky) {
                const float* pixels = sample.row(c, y + ky) + at;
                for (std::int64_t kx = 0; kx < s.kernelWidth; ++kx, ++w) {
                    Lanes pixel;
                    load(pixel, pixels + kx);
                    for (int f = 0; f < Count; ++f) sums[static_cast<std::size_t>(f)] += pixel * w[f * taps];
                }
            }
        const auto bytes = static_cast<std::size_t>(std::min(width, kLanes)) * sizeof(float);
        for (int f = 0; f < Count; ++f) {
            float* to = out + (first + f) * area + y * width + at;
            if (width >= kLanes) std::memcpy(to, &sums[static_cast<std::size_t>(f)], sizeof(Lanes));
            else std::memcpy(to, &sums[static_cast<std::size_t>(f)], bytes);
        }
    }
}

template <int Count>
TRAINYARD_INLINE void convolveSample(const ConvolutionShape& s, const PaddedSample& sample, const float* weight,
                                     const float* bias, std::int64_t first, float* out) {
    for (std::int64_t y = 0; y < s.outHeight(); ++y) convolveRow<Count>(s, sample, weight, bias, first, y, out);
}

// The sums of one tap row (c, ky) of Count filters, for every kx, added to dw.
template <int Count, int Width>
TRAINYARD_INLINE void gradientOfTaps(const ConvolutionShape& s, const PaddedSample& sample, const float* dy,
                                     std::int64_t first, std::int64_t c, std::int64_t ky, float* dw) {
    const std::int64_t width = s.outWidth(), area = s.outHeight() * width;
    const std::int64_t taps = s.channels * s.kernelHeight * Width;
    std::array<std::array<Lanes, Width>, Count> sums{};
    for (std::int64_t y = 0; y < s.outHeight(); ++y) {
        const float* pixels = sample.row(c, y + ky);
        for (std::int64_t x = 0; x < width; x += kLanes) {
            const std::int64_t at = std::max<std::int64_t>(0, std::min(x, width - kLanes));
            std::array<Lanes, Count> slopes;
            for (std::size_t f = 0; f < Count; ++f)
                loadLast(slopes[f], dy + (first + static_cast<std::int64_t>(f)) * area + y * width, at, x, width);
            for (std::size_t kx = 0; kx < Width; ++kx) {
                Lanes pixel;
                load(pixel, pixels + at + kx);
                for (std::size_t f = 0; f < Count; ++f) sums[f][kx] += pixel * slopes[f];
            }
        }
    }
    float* to = dw + first * taps + (c * s.kernelHeight + ky) * Width;
    for (std::size_t f = 0; f < Count; ++f, to += taps)
        for (std::size_t kx = 0; kx < Width; ++kx)
            for (int lane = 0; lane < kLanes; ++lane) to[kx] += sums[f][kx][lane];
}

template <int Count, int Width>
TRAINYARD_INLINE void gradientOfFilters(const ConvolutionShape& s, const PaddedSample& sample, const float* dy,
                                        std::int64_t first, float* dw) {
    for (std::int64_t c = 0; c < s.channels; ++c)
        for (std::int64_t ky = 0; ky < s.kernelHeight; ++ky)
            gradientOfTaps<Count, Width>(s, sample, dy, first, c, ky, dw);
}

template <int Width>
TRAINYARD_INLINE void gradientOfSample(const ConvolutionShape& s, const PaddedSample& sample, const float* dy,
                                       float* dw) {
    for (std::int64_t f = 0; f < s.filters; f += kFilters) {
        const std::int64_t left = s.filters - f;
        if (left >= 3) gradientOfFilters<3, Width>(s, sample, dy, f, dw);
        else if (left == 2) gradientOfFilters<2, Width>(s, sample, dy, f, dw);
        else gradientOfFilters<1, Width>(s, sample, dy, f, dw);
    }
}

TRAINYARD_INLINE void biasGradientOfSample(const ConvolutionShape& s, const float* dy, float* db) {
    const std::int64_t area = s.outHeight() * s.outWidth();
    for (std::int64_t f = 0; f < s.filters; ++f) {
        Lanes sums{}, lanes;
        std::int64_t i = 0;
        for (; i + kLanes <= area; i += kLanes) {
            load(lanes, dy + f * area + i);
            sums += lanes;
        }
        float sum = 0;
        for (; i < area; ++i) sum += dy[f * area + i];
        for (int lane = 0; lane < kLanes; ++lane) sum += sums[lane];
        db[f] += sum;
    }
}

} // namespace

TRAINYARD_VECTOR_CLONES
void convolve(const ConvolutionShape& s, Range samples, const float* x, const float* weight, const float* bias,
              float* y) {
    PaddedSample sample(s);
    for (std::int64_t n = samples.begin; n < samples.end; ++n) {
        sample.fill(x + n * s.channels * s.height * s.width);
        float* out = y + n * s.filters * s.outHeight() * s.outWidth();
        for (std::int64_t f = 0; f < s.filters; f += kFilters) {
            const std::int64_t left = s.filters - f;
            if (left >= 3) convolveSample<3>(s, sample, weight, bias, f, out);
            else if (left == 2) convolveSample<2>(s, sample, weight, bias, f, out);
            else convolveSample<1>(s, sample, weight, bias, f, out);
        }
    }
}

TRAINYARD_VECTOR_CLONES
void convolutionGradient(const ConvolutionShape& s, Range samples, const float* x, const float* dy, float* dw,
                         float* db) {
    std::fill_n(dw, s.filters * s.channels * s.kernelHeight * s.kernelWidth, 0.0F);
    if (db) std::fill_n(db, s.filters, 0.0F);
    PaddedSample sample(s);
    for (std::int64_t n = samples.begin; n < samples.end; ++n) {
        sample.fill(x + n * s.channels * s.height * s.width);
        const float* slopes = dy + n * s.filters * s.outHeight() * s.outWidth();
        if (s.kernelWidth == 3) gradientOfSample<3>(s, sample, slopes, dw);
        else if (s.kernelWidth == 5) gradientOfSample<5>(s, sample, slopes, dw);
        else gradientOfSample<7>(s, sample, slopes, dw);
        if (db) biasGradientOfSample(s, slopes, db);
    }
}

} // namespace trainyard::kernels
