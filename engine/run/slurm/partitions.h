// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// Where jobs can run.
struct SlurmPartition {
    std::string name;
    bool isDefault = false; // of those who name none
    int nodes = 0;
    int gpusPerNode = 0; // the most of any node
    std::string time;    // the longest that a job may take, as Slurm writes it; "infinite"
    bool operator==(const SlurmPartition&) const = default;
};

// What `sinfo --noheader --format=%P|%D|%G|%l` printed, in its order. Environment when it is not that.
Result<std::vector<SlurmPartition>> parseSinfo(std::string_view text);
// Those of the cluster that this computer submits to. Environment: there is no Slurm here, or it does not answer.
// Blocks for as long as sinfo takes.
Result<std::vector<SlurmPartition>> askPartitions();

} // namespace trainyard::run
