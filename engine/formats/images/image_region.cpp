// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/image_region.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"

#include <algorithm>
#include <cmath>

namespace trainyard::formats {

namespace {

// How many times more pixels than wanted there are at least, so that the triangle still decides what is seen.
constexpr double kGap = 2;

Rectangle cutTo(Rectangle area, int width, int height) {
    area.width = std::clamp(area.width, 1.0, static_cast<double>(width));
    area.height = std::clamp(area.height, 1.0, static_cast<double>(height));
    area.left = std::clamp(area.left, 0.0, width - area.width);
    area.top = std::clamp(area.top, 0.0, height - area.height);
    return area;
}

// The largest one that leaves so many more pixels than are wanted.
int shrinkFor(const Rectangle& area, int width, int height) {
    int shrink = 1;
    while (shrink < 8 && area.width >= 2.0 * kGap * shrink * width && area.height >= 2.0 * kGap * shrink * height)
        shrink *= 2;
    return shrink;
}

bool exchangesSides(int orientation) { return orientation >= 5; }

int backFrom(int orientation) { return orientation == 6 ? 8 : orientation == 8 ? 6 : orientation; }

// All places that the resampler asks for, in the upright image made `shrink` times smaller.
Window windowFor(const Rectangle& area, int shrink, int width, int height, const RegionTarget& target) {
    const int fullWidth = (width + shrink - 1) / shrink, fullHeight = (height + shrink - 1) / shrink;
    const TapRange columns = tapRange(area.left / shrink, area.width / shrink, fullWidth, target.width);
    const TapRange rows = tapRange(area.top / shrink, area.height / shrink, fullHeight, target.height);
    return {columns.first, rows.first, columns.end - columns.first, rows.end - rows.first, shrink};
}

Window storedWindow(const Window& upright, const StoredHeader& header) {
    const Rectangle there = asStored({static_cast<double>(upright.left), static_cast<double>(upright.top),
                                      static_cast<double>(upright.width), static_cast<double>(upright.height)},
                                     {(header.width + upright.shrink - 1) / upright.shrink,
                                      (header.height + upright.shrink - 1) / upright.shrink, header.orientation});
    return {static_cast<int>(there.left), static_cast<int>(there.top), static_cast<int>(there.width),
            static_cast<int>(there.height), upright.shrink};
}

} // namespace

Rectangle middleOf(int width, int height, int toWidth, int toHeight, bool crop) {
    double across = width, down = height;
    if (crop) {
        const double ratio = static_cast<double>(toWidth) / toHeight;
        across = std::min(across, down * ratio);
        down = std::min(down, across / ratio);
    }
    return {(width - across) / 2, (height - down) / 2, across, down};
}

Result<RegionFacts> RegionReader::decode(std::span<const std::uint8_t> bytes, const std::string& name,
                                         const ChooseRegion& choose, const RegionTarget& target) {
    RegionFacts facts;
    Rectangle area;
    const auto chooseWindow = [&](const StoredHeader& header) {
        facts.width = exchangesSides(header.orientation) ? header.height : header.width;
        facts.height = exchangesSides(header.orientation) ? header.width : header.height;
        area = cutTo(choose(facts.width, facts.height), facts.width, facts.height);
        const int shrink = target.shrunk && header.shrinks ? shrinkFor(area, target.width, target.height) : 1;
        return storedWindow(windowFor(area, shrink, facts.width, facts.height, target), header);
    };
    TY_TRY(decodeWindow(bytes, name, chooseWindow, m_decoded));
    facts.recovered = m_decoded.image.recovered;
    const StoredHeader& header = m_decoded.header;
    const Window& window = m_decoded.window;
    const int shrink = window.shrink;
    PixelView view{nullptr,
                   window.left,
                   window.top,
                   window.width,
                   window.height,
                   m_decoded.image.channels,
                   m_decoded.fullWidth,
                   m_decoded.fullHeight};
    if (header.orientation > 1) {
        const int back = backFrom(header.orientation);
        if (exchangesSides(back)) std::swap(view.fullWidth, view.fullHeight);
        const Rectangle there = asStored({static_cast<double>(window.left), static_cast<double>(window.top),
                                          static_cast<double>(window.width), static_cast<double>(window.height)},
                                         {view.fullWidth, view.fullHeight, back});
        m_decoded.image = upright(std::move(m_decoded.image), header.orientation);
        view.left = static_cast<int>(there.left);
        view.top = static_cast<int>(there.top);
        view.width = m_decoded.image.width;
        view.height = m_decoded.image.height;
    }
    view.pixels = m_decoded.image.pixels.data();
    m_resampler.run(view, area.left / shrink, area.top / shrink, area.width / shrink, area.height / shrink,
                    {target.planes, target.width, target.height, target.channels, /*planes=*/true});
    return facts;
}

Result<RegionFacts> RegionReader::read(const std::filesystem::path& file, const ChooseRegion& choose,
                                       const RegionTarget& target) {
    const std::string name = printable(file.string(), 4096);
    TY_ASSIGN(const std::string bytes, readImageFile(file));
    return decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, name, choose, target);
}

} // namespace trainyard::formats
