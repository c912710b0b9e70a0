// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

namespace trainyard::ui {

class ChartWidget;
class MetricCard;

// The export menu of one chart: PNG, SVG, PDF, CSV.
void showChartExport(Workbench& bench, ChartWidget* chart, const QPoint& globalPosition);
// The export menu of all cards: one image each into a folder, or the points of the current run.
void showChartsExport(Workbench& bench, const QList<MetricCard*>& cards, const QPoint& globalPosition, QWidget* parent);

} // namespace trainyard::ui
