// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

namespace trainyard::ui {

// One logged value of a series.
struct PlotPoint {
    qint64 step = 0;
    double epoch = 0;
    double timeSeconds = 0; // since the start of the run
    double value = 0;       // may be NaN or infinite: drawn as a gap, exported unchanged
};

// The quantity on the x axis.
enum class XMode {
    Step,
    Epoch,
    RelativeTime, // seconds of training, without the time between a stop and the resume
    WallTime,     // seconds since 1970-01-01 UTC, by the run's WallClock
};

// An event that changed a run's curves, as charts mark it.
struct PlotEvent {
    qint64 step = 0;    // the last step before it took effect
    double seconds = 0; // of training by then, as in PlotPoint
    double wall = 0;    // seconds since 1970-01-01 UTC
    QString text;       // one line: "learning rate 0.1 → 0.05"

    bool operator==(const PlotEvent&) const = default;
};

} // namespace trainyard::ui
