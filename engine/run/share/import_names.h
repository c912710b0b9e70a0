// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/share/import_sources.h"

#include <span>

namespace trainyard::run {

// Rule: what an imported run is called that has no name of its own.
// By the folders and the file that tell it from the others; one alone, or a mere number (version_0), with the nearest
// folder above that says something. Folders that programs make for all runs (lightning_logs, files) and names that all
// logs have (metrics.csv) say nothing. Runs of databases and bundles keep their names.
void nameApart(std::span<FoundImport> found);

} // namespace trainyard::run
