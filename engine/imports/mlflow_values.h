// SPDX-License-Identifier: GPL-3.0-or-later
// What MLflow's folder and its database have in common.
#pragma once

#include "engine/imports/imported_run.h"

namespace trainyard::imports {

// Adds points of one series, in any order: by their steps, the latest of one step.
void addSorted(ImportedRun& run, const std::string& series, std::vector<Point>& points);

// How a run ended, of MLflow's word or number for it ("FAILED", "4"); a run that still runs has not finished.
ImportedRun::Ending mlflowEnding(std::string_view status);

} // namespace trainyard::imports
