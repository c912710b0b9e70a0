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
    double value = 0;       // may be NaN or infinite: drawn as a gap, exported as it is
};

// Whose curve it is and how it looks.
struct CurveStyle {
    QString runId;
    QString name;
    int colorIndex = 0; // index into the run palette

    bool operator==(const CurveStyle&) const = default;
};

enum class XMode { Step, Epoch, RelativeTime };
// Auto chooses linear or log and leaves lone outliers to the edge marks; the others show all.
enum class YMode { Auto, Linear, Log };

} // namespace trainyard::ui
