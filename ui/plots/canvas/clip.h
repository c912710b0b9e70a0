// SPDX-License-Identifier: GPL-3.0-or-later
// Clips shapes at the edges of a plot, because an SVG written by Qt 6.4 ignores its painter's clip.
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QRectF>

#include <optional>

namespace trainyard::ui {

// The part of a line inside the rectangle, by the algorithm of Liang and Barsky (ACM Trans. Graph. 3(1), 1984);
// none when it lies outside. Coordinates must be finite.
std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect);
// The part of a polygon inside the rectangle, by the algorithm of Sutherland and Hodgman (CACM 17(1), 1974). Separate
// parts of it stay joined by edges along the rectangle, which a fill does not show.
QPolygonF clipped(const QPolygonF& polygon, const QRectF& rect);

} // namespace trainyard::ui
