// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/plots/canvas/plot_axis.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/widgets/sheets/sheet.h"

namespace trainyard::ui {

class UnitField;

// The two ends of a y axis from what was typed. Input for what is no number or not finite, and for ends that are equal
// or the wrong way round; `where` of the error is "lowest" or "highest".
Result<std::pair<double, double>> readYRange(const QString& lowest, const QString& highest);

// Asks for the y range of a chart.
class YRangeSheet : public Sheet {
    Q_OBJECT
public:
    // `shown` is what the axis covers now; `typed` what it was given before, if anything.
    YRangeSheet(QWidget* window, const QString& chart, const AxisRange& shown,
                const std::optional<std::pair<double, double>>& typed);

Q_SIGNALS:
    // Nothing: the range follows the points.
    void chosen(const std::optional<std::pair<double, double>>& range);

private:
    void apply();

    UnitField *m_low, *m_high;
};

} // namespace trainyard::ui
