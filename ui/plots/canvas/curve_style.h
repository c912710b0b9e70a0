// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

namespace trainyard::ui {

// The run a curve belongs to, and its look.
struct CurveStyle {
    QString runId;
    QString name;
    RunColor color{};

    bool operator==(const CurveStyle&) const = default;
};

// Auto chooses linear or log and leaves lone outliers to the edge marks; the others show all.
enum class YMode { Auto, Linear, Log };

} // namespace trainyard::ui
