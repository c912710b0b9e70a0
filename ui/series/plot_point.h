// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace trainyard::ui
