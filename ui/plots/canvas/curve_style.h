// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

namespace trainyard::ui {

// The group a run belongs to: its runs have one mean, with one standard deviation to either side.
struct CurveGroup {
    QString key{}; // empty: the run belongs to none
    QString name{};
    RunColor color{};
    bool isOneLine = false; // its runs are not drawn while their mean is

    bool operator==(const CurveGroup&) const = default;
};

// The run a curve belongs to, and its look.
struct CurveStyle {
    QString runId;
    QString name;
    RunColor color{};
    CurveGroup group{};

    // The runs of a group that can be one line have its colour, as their chips in the table do.
    const RunColor& drawnColor() const { return group.isOneLine ? group.color : color; }
    bool operator==(const CurveStyle&) const = default;
};

// Auto chooses linear or log and leaves lone outliers to the edge marks; the others show all.
enum class YMode { Auto, Linear, Log };

} // namespace trainyard::ui
