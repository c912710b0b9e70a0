// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trainyard::formats {

namespace {

constexpr int kLanes = 4; // of a pixel with colours: red, green, blue and nothing

struct TapPlace {
    double centre = 0, reach = 1;
    TapRange range;
};

TapPlace placeOf(double from, double scale, int limit, int i) {
    TapPlace place{from + (i + 0.5) * scale, std::max(scale, 1.0), {}};
    place.range.first = std::clamp(static_cast<int>(std::floor(place.centre - place.reach)), 0, limit - 1);
    place.range.end = std::clamp(static_cast<int>(std::ceil(place.centre + place.reach)), place.range.first + 1, limit);
    return place;
}

// Reads four bytes of each pixel of three, so one past the last of them.
void squeezeColours(const std::uint8_t* row, const int* first, const int* count, const float* weights, int stride,
                    int width, float* to) {
    for (int x = 0; x < width; ++x, weights += stride, to += kLanes) {
        const std::uint8_t* at = row + 3 * static_cast<std::ptrdiff_t>(first[x]);
#ifdef __SSE2__
        const __m128i zero = _mm_setzero_si128();
        __m128 sum = _mm_setzero_ps();
        for (int k = 0; k < count[x]; ++k, at += 3) {
            int four = 0;
            std::memcpy(&four, at, sizeof four);
            const __m128i wide = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero);
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(weights[k]), _mm_cvtepi32_ps(wide)));
        }
        _mm_storeu_ps(to, sum);
#else
        float sum[kLanes] = {};
        for (int k = 0; k < count[x]; ++k, at += 3)
            for (int c = 0; c < 3; ++c) sum[c] += weights[k] * static_cast<float>(at[c]);
        std::copy_n(sum, kLanes, to);
#endif
    }
}

void squeezeGrey(const std::uint8_t* row, const int* first, const int* count, const float* weights, int stride,
                 int width, float* to) {
    for (int x = 0; x < width; ++x, weights += stride) {
        float sum = 0;
        for (int k = 0; k < count[x]; ++k) sum += weights[k] * static_cast<float>(row[first[x] + k]);
        to[x] = sum;
    }
}

std::uint8_t level(float sum) { return static_cast<std::uint8_t>(std::clamp(sum, 0.0f, 255.0f) + 0.5f); }

} // namespace

TapRange tapRange(double from, double length, int limit, int count) {
    const double scale = length / count;
    return {placeOf(from, scale, limit, 0).range.first, placeOf(from, scale, limit, count - 1).range.end};
}

void Resampler::makeTaps(double from, double length, int limit, int count, Taps& taps) {
    const double scale = length / count;
    taps.stride = static_cast<int>(std::ceil(std::max(scale, 1.0))) * 2 + 2;
    taps.first.resize(static_cast<std::size_t>(count));
    taps.count.resize(static_cast<std::size_t>(count));
    taps.weights.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(taps.stride));
    for (int i = 0; i < count; ++i) {
        const TapPlace place = placeOf(from, scale, limit, i);
        float* weights = taps.weights.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(taps.stride);
        double sum = 0;
        int n = 0;
        for (int k = place.range.first; k < place.range.end; ++k, ++n) {
            const double weight = std::max(0.0, 1.0 - std::abs((k + 0.5 - place.centre) / place.reach));
            weights[n] = static_cast<float>(weight);
            sum += weight;
        }
        if (sum <= 0) weights[0] = 1, sum = 1;
        for (int k = 0; k < n; ++k) weights[k] = static_cast<float>(static_cast<double>(weights[k]) / sum);
        taps.first[static_cast<std::size_t>(i)] = place.range.first;
        taps.count[static_cast<std::size_t>(i)] = n;
    }
}

void Resampler::squeezeRow(const PixelView& view, int y, int lanes, float* to) {
    const auto width = static_cast<std::size_t>(view.width), channels = static_cast<std::size_t>(view.channels);
    const std::uint8_t* row = view.pixels + static_cast<std::size_t>(y - view.top) * width * channels;
    const int wide = static_cast<int>(m_columns.first.size());
    if (lanes == 1 && view.channels == 3) {
        m_line.resize(width);
        for (std::size_t x = 0; x < width; ++x, row += 3)
            m_line[x] = static_cast<std::uint8_t>((row[0] * 299 + row[1] * 587 + row[2] * 114 + 500) / 1000);
        row = m_line.data();
    } else if (lanes == kLanes && y == view.top + view.height - 1) { // nothing may be read behind the last row
        m_line.resize(width * 3 + 1);
        std::copy_n(row, width * 3, m_line.data());
        row = m_line.data();
    }
    (lanes == 1 ? squeezeGrey : squeezeColours)(row, m_columns.first.data(), m_columns.count.data(),
                                                m_columns.weights.data(), m_columns.stride, wide, to);
}

void Resampler::writeRow(const ResampleTarget& target, int lanes, int y) const {
    const auto width = static_cast<std::size_t>(target.width), channels = static_cast<std::size_t>(target.channels);
    const std::size_t plane = width * static_cast<std::size_t>(target.height),
                      row = static_cast<std::size_t>(y) * width;
    for (std::size_t c = 0; c < channels; ++c) {
        const float* from = m_sums.data() + (lanes == 1 ? 0 : c);
        if (target.planes)
            for (std::size_t x = 0; x < width; ++x)
                target.to[c * plane + row + x] = level(from[x * static_cast<std::size_t>(lanes)]);
        else
            for (std::size_t x = 0; x < width; ++x)
                target.to[(row + x) * channels + c] = level(from[x * static_cast<std::size_t>(lanes)]);
    }
}

void Resampler::run(const PixelView& view, double left, double top, double across, double down,
                    const ResampleTarget& target) {
    makeTaps(left, across, view.fullWidth, target.width, m_columns);
    makeTaps(top, down, view.fullHeight, target.height, m_rows);
    for (int& first : m_columns.first) first -= view.left;
    const int lanes = target.channels == 3 && view.channels == 3 ? kLanes : 1;
    const std::size_t stride = static_cast<std::size_t>(target.width) * static_cast<std::size_t>(lanes);
    const auto ring = static_cast<std::size_t>(m_rows.stride);
    m_narrow.resize(ring * stride);
    m_held.assign(ring, -1);
    m_sums.resize(stride);
    for (int y = 0; y < target.height; ++y) {
        std::fill(m_sums.begin(), m_sums.end(), 0.0f);
        const int first = m_rows.first[static_cast<std::size_t>(y)], count = m_rows.count[static_cast<std::size_t>(y)];
        for (int k = 0; k < count; ++k) {
            const auto place = static_cast<std::size_t>(first + k) % ring;
            float* row = m_narrow.data() + place * stride;
            if (m_held[place] != first + k) {
                squeezeRow(view, first + k, lanes, row);
                m_held[place] = first + k;
            }
            const float weight = m_rows.of(y)[k];
            for (std::size_t i = 0; i < stride; ++i) m_sums[i] += weight * row[i];
        }
        writeRow(target, lanes, y);
    }
}

} // namespace trainyard::formats
