// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/pooling_loops.h"

#include "engine/torch/kernels/vector_clones.h"

#include <algorithm>
#include <limits>

namespace trainyard::kernels {
namespace {

struct Window {
    float most = -std::numeric_limits<float>::infinity();
    std::int32_t place = 0;

    TRAINYARD_INLINE void look(float value, std::int32_t at) {
        const bool takes = value > most || value != value; // a NaN is unlike itself
        most = takes ? value : most;
        place = takes ? at : place;
    }
};

// A window that may reach over the border.
TRAINYARD_INLINE Window clipped(const PoolingShape& s, const float* plane, std::int64_t oy, std::int64_t ox) {
    const std::int64_t top = oy * s.stride - s.padding, left = ox * s.stride - s.padding;
    const std::int64_t firstY = std::max<std::int64_t>(0, top), firstX = std::max<std::int64_t>(0, left);
    Window window;
    window.place = static_cast<std::int32_t>(firstY * s.width + firstX);
    for (std::int64_t y = firstY; y < std::min(s.height, top + s.side); ++y)
        for (std::int64_t x = firstX; x < std::min(s.width, left + s.side); ++x)
            window.look(plane[y * s.width + x], static_cast<std::int32_t>(y * s.width + x));
    return window;
}

// Windows [first, end) of a row, of a side known to the compiler, that all lie within the plane.
template <int Side, int Stride>
TRAINYARD_INLINE void rowWithin(const PoolingShape& s, const float* plane, std::int64_t oy, std::int64_t first,
                                std::int64_t end, float* y, std::int32_t* places) {
    const auto width = static_cast<std::int32_t>(s.width), count = static_cast<std::int32_t>(end - first);
    const auto corner = static_cast<std::int32_t>((oy * Stride - s.padding) * s.width + first * Stride - s.padding);
    const float* from = plane + corner;
    TRAINYARD_INDEPENDENT
    for (std::int32_t i = 0; i < count; ++i) {
        Window window;
        window.place = corner + i * Stride;
        for (std::int32_t ky = 0; ky < Side; ++ky)
            for (std::int32_t kx = 0; kx < Side; ++kx) {
                const std::int32_t at = ky * width + i * Stride + kx;
                window.look(from[at], corner + at);
            }
        y[first + i] = window.most;
        places[first + i] = window.place;
    }
}

TRAINYARD_INLINE void rowClipped(const PoolingShape& s, const float* plane, std::int64_t oy, std::int64_t first,
                                 std::int64_t end, float* y, std::int32_t* places) {
    for (std::int64_t ox = first; ox < end; ++ox) {
        const Window window = clipped(s, plane, oy, ox);
        y[ox] = window.most;
        places[ox] = window.place;
    }
}

// The border by itself, what is between by the loop for this window where there is one.
template <int Side, int Stride>
TRAINYARD_INLINE void row(const PoolingShape& s, const float* plane, std::int64_t oy, float* y, std::int32_t* places) {
    const std::int64_t count = s.outWidth(), top = oy * s.stride - s.padding;
    std::int64_t first = (s.padding + s.stride - 1) / s.stride;
    std::int64_t end = (s.width + s.padding - s.side) / s.stride + 1;
    if (top < 0 || top + s.side > s.height || first >= end) first = end = count;
    rowClipped(s, plane, oy, 0, first, y, places);
    rowWithin<Side, Stride>(s, plane, oy, first, end, y, places);
    rowClipped(s, plane, oy, end, count, y, places);
}

} // namespace

TRAINYARD_VECTOR_CLONES
void maxPool(const PoolingShape& s, const float* x, float* y, std::int32_t* places) {
    const std::int64_t height = s.outHeight(), width = s.outWidth();
    for (std::int64_t plane = 0; plane < s.planes; ++plane)
        for (std::int64_t oy = 0; oy < height; ++oy) {
            const float* from = x + plane * s.height * s.width;
            float* to = y + (plane * height + oy) * width;
            std::int32_t* at = places + (plane * height + oy) * width;
            if (s.side == 2 && s.stride == 2) row<2, 2>(s, from, oy, to, at);
            else if (s.side == 3 && s.stride == 3) row<3, 3>(s, from, oy, to, at);
            else if (s.side == 3 && s.stride == 2) row<3, 2>(s, from, oy, to, at);
            else rowClipped(s, from, oy, 0, width, to, at);
        }
}

void maxPoolGradient(const PoolingShape& s, const float* dy, const std::int32_t* places, float* dx) {
    const std::int64_t in = s.height * s.width, out = s.outHeight() * s.outWidth();
    std::fill_n(dx, s.planes * in, 0.0F);
    for (std::int64_t plane = 0; plane < s.planes; ++plane)
        for (std::int64_t i = 0; i < out; ++i) dx[plane * in + places[plane * out + i]] += dy[plane * out + i];
}

} // namespace trainyard::kernels
