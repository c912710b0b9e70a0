// SPDX-License-Identifier: GPL-3.0-or-later
// At which step the lines of a metrics file stand.
#pragma once

#include "engine/imports/imported_run.h"
#include "engine/imports/table_columns.h"

#include <optional>

namespace trainyard::program {

// Rule: at which step a line of $TRAINYARD_METRICS stands.
// At its own; else, where lines before it had one, at the last of these; else at its epoch, or, where epochs have
// parts, and where there is none, at its number. A step that begins anew with each epoch goes on from the epoch before.
class MetricSteps {
public:
    // A point without a value.
    imports::Point next(std::optional<std::int64_t> step, std::optional<double> epoch);
    void beginAgain() { *this = {}; }

private:
    imports::RowSteps m_rows{};
    std::int64_t m_last = 0;
    double m_epoch = 0;
    bool m_hasSteps = false;
};

} // namespace trainyard::program
