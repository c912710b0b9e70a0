// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/curve_palette.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard::ui {

namespace {

constexpr qreal kLeastContrast = 3; // of graphics, WCAG 2.1 §1.4.11

struct Lab {
    double l, a, b;
};

double linearChannel(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Lab oklab(const QColor& color) {
    const double r = linearChannel(color.redF());
    const double g = linearChannel(color.greenF());
    const double b = linearChannel(color.blueF());
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double distance(const Lab& a, const Lab& b) { return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b); }

struct Candidate {
    QColor color;
    Lab lab;
    double nearest; // to any colour that is taken
};

std::vector<Candidate> candidates(const QColor& card) {
    std::vector<Candidate> all;
    for (int hue = 0; hue < 360; hue += 15) {
        for (const double saturation : {0.4, 0.6, 0.8}) {
            for (int lightness = 22; lightness <= 86; lightness += 8) {
                const QColor color = QColor::fromHslF(static_cast<float>(hue / 360.0), static_cast<float>(saturation),
                                                      static_cast<float>(lightness / 100.0))
                                         .toRgb();
                if (contrastRatio(color, card) >= kLeastContrast) all.push_back({color, oklab(color), 1e9});
            }
        }
    }
    return all;
}

} // namespace

std::array<QColor, kCurveColors> curvePalette(const std::array<QColor, 10>& design, const QColor& card) {
    std::array<QColor, kCurveColors> palette;
    std::vector<Candidate> left = candidates(card);
    const auto keepAway = [&left](const Lab& taken) {
        for (Candidate& each : left) each.nearest = std::min(each.nearest, distance(each.lab, taken));
    };
    for (std::size_t i = 0; i < palette.size(); ++i) {
        if (i < design.size()) {
            palette[i] = design[i];
        } else {
            const auto farthest = std::max_element(left.begin(), left.end(), [](const auto& one, const auto& other) {
                return one.nearest < other.nearest;
            });
            palette[i] = farthest->color;
        }
        keepAway(oklab(palette[i]));
    }
    return palette;
}

double colorDistance(const QColor& a, const QColor& b) { return distance(oklab(a), oklab(b)); }

} // namespace trainyard::ui
