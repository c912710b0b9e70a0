// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard::ui {

// An event that changed a run's curves, as charts mark it.
struct PlotEvent {
    qint64 step = 0;    // the last step before it took effect
    double seconds = 0; // of training by then, as in PlotPoint
    double wall = 0;    // seconds since 1970-01-01 UTC
    QString text;       // one line: "learning rate 0.1 → 0.05"

    bool operator==(const PlotEvent&) const = default;
};

} // namespace trainyard::ui
