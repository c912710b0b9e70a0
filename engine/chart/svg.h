// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/drawing.h"

namespace trainyard::chart {

// A drawing as an SVG element, whose inks are classes of a style sheet: t (text), m (muted), g (grid), a (axis), and
// s0, s1 … (curves; kCurveInks of them, and then again from s0). `label` is read out by a screen reader. All texts
// are escaped.
inline constexpr int kCurveInks = 40;
std::string toSvg(const Drawing& drawing, const std::string& label);

} // namespace trainyard::chart
