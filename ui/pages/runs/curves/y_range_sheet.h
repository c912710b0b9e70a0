// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/plots/canvas/plot_axis.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/widgets/sheets/sheet.h"

namespace trainyard::ui {

class UnitField;

// Parses the two ends of a y axis. Input error if an end is not a finite number, or the lowest is not below the
// highest; `where` of the error is "lowest" or "highest".
Result<std::pair<double, double>> readYRange(const QString& lowest, const QString& highest);

// Asks for the y range of a chart.
class YRangeSheet : public Sheet {
    Q_OBJECT
public:
    // `shown`: the current range; `typed`: the range typed before, if any.
    YRangeSheet(QWidget* window, const QString& chart, const AxisRange& shown,
                const std::optional<std::pair<double, double>>& typed);

Q_SIGNALS:
    // Nothing: the range fits the points.
    void chosen(const std::optional<std::pair<double, double>>& range);

private:
    void apply();

    UnitField *m_low, *m_high;
};

} // namespace trainyard::ui
