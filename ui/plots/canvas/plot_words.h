// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace trainyard::ui {

// PlotWords::tr(): texts of plots outside widgets.
struct PlotWords {
    Q_DECLARE_TR_FUNCTIONS(Plots)
};

} // namespace trainyard::ui
