// SPDX-License-Identifier: GPL-3.0-or-later
// A part of an image at the size wanted, decoding no more of the file than that takes.
#pragma once

#include "engine/formats/images/decoders.h"
#include "engine/formats/images/resample.h"

namespace trainyard::formats {

// A part of an upright image of these sides, in pixels; places may be fractions.
using ChooseRegion = std::function<Rectangle(int width, int height)>;

// The middle with the ratio of `toWidth` to `toHeight`; `crop` false: the whole image. What resized() shows.
Rectangle middleOf(int width, int height, int toWidth, int toHeight, bool crop);

// What to make of it.
struct RegionTarget {
    int width = 0, height = 0, channels = 3; // 1 or 3
    std::uint8_t* planes = nullptr;          // [channels, height, width]
    // True: a JPEG's pixels may be taken as means of 2, 4 or 8 by as many, which the decoder gives for a fraction of
    // the time, where the part is twice that much larger than the target. The levels differ, by some 0.6 of 255 on
    // average. False: the bits are those of resized(withChannels(readImage())).
    bool shrunk = false;
};

// Of the image that was read.
struct RegionFacts {
    int width = 0, height = 0; // upright
    bool recovered = false;    // as Image::recovered
};

// Keeps its memory from one image to the next: one for each thread.
class RegionReader {
public:
    // All kinds that readImage() knows; of a JPEG only the rows and columns of the part are decoded. Damage outside of
    // it may stay unnoticed. The part is cut to the image. Errors as decodeImage(); `planes` is undefined then.
    Result<RegionFacts> decode(std::span<const std::uint8_t> bytes, const std::string& name, const ChooseRegion& choose,
                               const RegionTarget& target);
    // The same of a file; errors as readImage().
    Result<RegionFacts> read(const std::filesystem::path& file, const ChooseRegion& choose, const RegionTarget& target);

private:
    Decoded m_decoded;
    Resampler m_resampler;
};

} // namespace trainyard::formats
