// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QStringList>

namespace trainyard::ui {

class ChartBoard;
class ChartDesk;
class MetricCard;

// The chart that a menu is for.
struct ChartMenuTarget {
    Workbench& bench;
    ChartDesk& desk;
    ChartBoard& board;
    MetricCard& card;
    QString id;
    QStringList series; // that the menu offers to add
};

// The menu of one chart: its place, series and y axis, its values, a fork at the pointer, exports. `position` is on the
// screen.
void showChartMenu(const ChartMenuTarget& target, const QPoint& position);

} // namespace trainyard::ui
