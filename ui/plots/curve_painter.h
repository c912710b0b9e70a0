// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/chart_view.h"
#include "ui/theme/theme.h"

#include <QRectF>

class QPainter;

namespace trainyard::ui {

// Draws band, raw and main lines, live discs and outlier marks of `view` into `plot`, clipped to
// it. Safe on any thread, as it takes the theme it needs.
void paintCurves(QPainter& painter, const ChartView& view, const QRectF& plot, const Theme& theme);

// Vertices of a line through the columns: one where a column is flat in pixels, otherwise first,
// smallest, largest and last. A null polygon separates the parts on both sides of a gap.
std::vector<QList<QPointF>> lineThrough(const std::vector<Column>& columns, const AxisMap& x, const AxisMap& y);

} // namespace trainyard::ui
