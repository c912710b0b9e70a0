// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of a Slurm job as hosts of a run file (spec::isSlurmHost). Pure.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::run {

// The hosts with all nodes of a job in the place of the first that is Slurm's, and without the others that are. Those
// of an earlier job go that way, too. `nodeList`: $SLURM_JOB_NODELIST. Input when there is such a host and no list.
Result<std::vector<std::string>> withSlurmNodes(const std::vector<std::string>& hosts, const std::string& nodeList);
// The address that the others reach a node at: what its name stands for, if that is one of its own, which it prints
// with `hostname -I`; else the first of those. Empty: it has none.
std::string slurmNodeAddress(const std::string& resolved, const std::string& own);

} // namespace trainyard::run
