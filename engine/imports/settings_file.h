// SPDX-License-Identifier: GPL-3.0-or-later
// What programs write beside their tables of metrics, settings above all (SOURCES.md).
#pragma once

#include "engine/imports/imported_run.h"

#include <filesystem>
#include <vector>

namespace trainyard::imports {

// The files beside a log that say more of its run: hparams.yaml (Lightning), args.yaml (Ultralytics), params.json
// (Ray), config.yaml (W&B and others), .hydra/config.yaml, and W&B's wandb-metadata.json and wandb-summary.json. Links
// are left out.
std::vector<std::filesystem::path> settingsFilesOf(const std::filesystem::path& folder);

// Sets what the file says of scalars, lists as their text, maps in maps joined by points; a setting that the run has
// already stays. Of YAML, what those programs write: block maps and lists of plain and quoted scalars. What is none of
// these is left out, as is a file that cannot be read or has more than 1 MiB. Of W&B's files: the settings of its
// configuration, when the run was started, and a point at the last step for each number of the summary that no series
// has.
void readSettingsFile(const std::filesystem::path& file, ImportedRun& run);

} // namespace trainyard::imports
