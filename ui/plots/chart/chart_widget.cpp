// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/chart_widget.h"

namespace trainyard::ui {

QString ChartWidget::fileName() const {
    return title().replace(QLatin1Char('/'), QLatin1Char('-')).remove(QLatin1Char(' '));
}

} // namespace trainyard::ui
