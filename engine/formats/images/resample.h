// SPDX-License-Identifier: GPL-3.0-or-later
// Makes an image, or a part of it, larger or smaller. Each new pixel is the mean of the old ones that it covers,
// weighted by a triangle (Pillow's antialiased bilinear filter).
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::formats {

// Pixels [lines, columns, channels] of a rectangle within an image of `fullWidth` by `fullHeight`.
struct PixelView {
    const std::uint8_t* pixels = nullptr;
    int left = 0, top = 0, width = 0, height = 0;
    int channels = 3; // 1 or 3
    int fullWidth = 0, fullHeight = 0;
};

// Old places that the new ones of one axis are made of: [first, end).
struct TapRange {
    int first = 0, end = 0;
};
// For `count` new places that cover `length` old ones from `from`, of `limit` that there are.
TapRange tapRange(double from, double length, int limit, int count);

// What is made.
struct ResampleTarget {
    std::uint8_t* to = nullptr;
    int width = 0, height = 0, channels = 3; // 1 or 3; grey is 0.299 R + 0.587 G + 0.114 B
    bool planes = false;                     // [channels, height, width] instead of [height, width, channels]
};

// Keeps its memory from one image to the next. One thread at a time.
class Resampler {
public:
    // `left`, `top`, `across` and `down` are the part of the full image that the target shows. The view has to hold
    // what tapRange() names of it. The sums are taken column by column, then row by row, in the order of the old
    // places, in float: the same bits whatever part of the image the view holds.
    void run(const PixelView& view, double left, double top, double across, double down, const ResampleTarget& target);

private:
    struct Taps {
        std::vector<int> first, count;
        std::vector<float> weights;
        int stride = 0;
        const float* of(int i) const { return weights.data() + static_cast<std::size_t>(i) * stride; }
    };
    static void makeTaps(double from, double length, int limit, int count, Taps& taps);
    void squeezeRow(const PixelView& view, int y, int lanes, float* to);
    void writeRow(const ResampleTarget& target, int lanes, int y) const;

    Taps m_columns, m_rows;
    std::vector<float> m_narrow; // the rows that a new row is made of, as a ring
    std::vector<int> m_held;     // which old row stands at each place of the ring
    std::vector<float> m_sums;
    std::vector<std::uint8_t> m_line; // a row in grey, or one with room behind it
};

} // namespace trainyard::formats
