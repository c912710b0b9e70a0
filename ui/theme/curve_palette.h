// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <array>

namespace trainyard::ui {

inline constexpr std::size_t kCurveColors = 40;

// The colours of runs: those of the design, then more, each as far as possible from all before it (distance in Oklab,
// Ottosson 2020) and with a contrast of at least 3 to `card`. Equal input gives equal colours.
std::array<QColor, kCurveColors> curvePalette(const std::array<QColor, 10>& design, const QColor& card);

// The distance of two colours in Oklab; some 0.02 is the least that the eye tells apart.
double colorDistance(const QColor& a, const QColor& b);

} // namespace trainyard::ui
