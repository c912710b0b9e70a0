// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/start/run_start.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"
#include "ui/models/runs/run_item.h"

#include <optional>

namespace trainyard::ui {

// The suggested remedy for a failed run.
struct FailureFix {
    QString label;                        // the button: "Halve the batch and retry"
    std::optional<spec::RunSpec> retry{}; // start this instead; without it the run continues from its checkpoint
    bool asksForPath = false;             // instead: opens the settings, to set the new path of its data
    bool acceptsData = false;             // instead: continues with its data as it is now
    run::StartOptions options{};          // of `retry`: a fork starts from its checkpoint again, if that fits
};

// The remedy for the cause of a failure. `hasCheckpoint`: there is something to continue from. `catalog` gives the
// learning rate that the run file omits; null while it is being read.
FailureFix fixFor(const RunItem& run, bool hasCheckpoint, const spec::Catalog* catalog);

} // namespace trainyard::ui
