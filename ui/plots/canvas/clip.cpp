// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/clip.h"

#include <algorithm>
#include <functional>

namespace trainyard::ui {

namespace {

// Keeps the part of the line from `enter` to `leave` on the inner side of one edge; false when there is none. `along`:
// the line's component towards the edge; `room`: the distance to it.
bool cut(double along, double room, double& enter, double& leave) {
    if (along < 0) enter = std::max(enter, room / along);
    else if (along > 0) leave = std::min(leave, room / along);
    else return room >= 0;
    return enter <= leave;
}

// Distance of a point from one edge of the rectangle; negative outside.
using Inside = std::function<double(const QPointF&)>;

QPolygonF cutAt(const QPolygonF& polygon, const Inside& inside) {
    QPolygonF kept;
    for (qsizetype i = 0; i < polygon.size(); ++i) {
        const QPointF& from = polygon[i];
        const QPointF& to = polygon[(i + 1) % polygon.size()];
        const double a = inside(from);
        const double b = inside(to);
        if (a >= 0) kept << from;
        if ((a >= 0) != (b >= 0)) kept << from + (to - from) * (a / (a - b));
    }
    return kept;
}

} // namespace

std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect) {
    double enter = 0;
    double leave = 1;
    if (!cut(-line.dx(), line.x1() - rect.left(), enter, leave) ||
        !cut(line.dx(), rect.right() - line.x1(), enter, leave) ||
        !cut(-line.dy(), line.y1() - rect.top(), enter, leave) ||
        !cut(line.dy(), rect.bottom() - line.y1(), enter, leave))
        return std::nullopt;
    return QLineF(line.pointAt(enter), line.pointAt(leave));
}

QPolygonF clipped(const QPolygonF& polygon, const QRectF& rect) {
    QPolygonF kept = cutAt(polygon, [&rect](const QPointF& at) { return at.x() - rect.left(); });
    kept = cutAt(kept, [&rect](const QPointF& at) { return rect.right() - at.x(); });
    kept = cutAt(kept, [&rect](const QPointF& at) { return at.y() - rect.top(); });
    return cutAt(kept, [&rect](const QPointF& at) { return rect.bottom() - at.y(); });
}

} // namespace trainyard::ui
