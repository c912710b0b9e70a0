// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/pictures/picture_files.h"

#include "engine/formats/images/image_region.h"

#include <algorithm>
#include <cmath>

namespace trainyard::data {
namespace {

void bring(const formats::Image& decoded, const PictureForm& form, std::uint8_t* planes) {
    const auto image =
        formats::resized(formats::withChannels(decoded, form.channels), form.width, form.height, form.crop);
    const std::size_t channels = static_cast<std::size_t>(form.channels);
    const std::size_t plane = image.pixels.size() / channels;
    for (std::size_t c = 0; c < channels; ++c) // [H, W, C] -> [C, H, W]
        for (std::size_t p = 0; p < plane; ++p) planes[c * plane + p] = image.pixels[p * channels + c];
}

} // namespace

// The ratio is drawn evenly in its logarithm; a cut that is wider or higher than the picture is made as large as it can
// be, with the ratio as near as it goes.
CutRect cutRect(const CutDraw& cut, int width, int height) {
    const double area = cut.leastArea + (1 - cut.leastArea) * cut.area;
    const double ratio = std::exp((2 * cut.ratio - 1) * std::log(4.0 / 3.0));
    const double pixels = area * width * height;
    CutRect rect;
    rect.width = std::clamp(static_cast<int>(std::lround(std::sqrt(pixels * ratio))), 1, width);
    rect.height = std::clamp(static_cast<int>(std::lround(std::sqrt(pixels / ratio))), 1, height);
    rect.left = std::min(static_cast<int>(cut.left * (width - rect.width + 1)), width - rect.width);
    rect.top = std::min(static_cast<int>(cut.top * (height - rect.height + 1)), height - rect.height);
    return rect;
}

Result<bool> readPicture(const std::filesystem::path& file, const PictureForm& form, const CutDraw* cut,
                         std::uint8_t* planes) {
    if (cut) {
        static thread_local formats::RegionReader reader;
        const auto choose = [&](int width, int height) {
            const CutRect rect = cutRect(*cut, width, height);
            return formats::Rectangle{static_cast<double>(rect.left), static_cast<double>(rect.top),
                                      static_cast<double>(rect.width), static_cast<double>(rect.height)};
        };
        TY_ASSIGN(const auto facts,
                  reader.read(file, choose, {form.width, form.height, form.channels, planes, /*shrunk=*/true}));
        return facts.recovered;
    }
    // As a whole, so that damage anywhere in the file is noticed.
    TY_ASSIGN(const formats::Image image, formats::readImage(file));
    bring(image, form, planes);
    return image.recovered;
}

Result<bool> decodePicture(std::span<const std::uint8_t> bytes, const std::string& name, const PictureForm& form,
                           std::uint8_t* planes) {
    TY_ASSIGN(const formats::Image image, formats::decodeImage(bytes, name));
    bring(image, form, planes);
    return image.recovered;
}

Result<void> PictureFiles::read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const {
    TY_TRY(readPicture((*m_files)[static_cast<std::size_t>(i)], m_form, cut, to));
    return {};
}

std::string PictureFiles::nameOf(std::int64_t i) const { return (*m_files)[static_cast<std::size_t>(i)].string(); }

} // namespace trainyard::data
