// SPDX-License-Identifier: GPL-3.0-or-later
// Averaging through memory that the ranks of a host share, with the optimizer in the same pass: each rank adds up its
// share of all ranks' gradients and updates that share of the one copy of the weights that the host has. The weights
// and the optimizer's state are written into a second copy, which becomes the current one when all shares are done: a
// rank that dies at any instant leaves either step k or step k + 1 whole. Model parameters and the optimizer's slots
// are views of the current copy; one change of a pointer moves them all to the other. pin() keeps the current copy as
// it is; steps then go back and forth between the other two.
//
// Over several hosts the first rank of each adds up the hosts' sums, between each host's sum and its update: the three
// phases of Goyal et al., Accurate, Large Minibatch SGD, 2017, arXiv:1706.02677, section 4.
//
// That each rank updates only its share of the weights is the partition of Rajbhandari et al., ZeRO, 2019,
// arXiv:1910.02054; here the shares lie in one memory, so nothing has to be gathered.
#pragma once

#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/hosts_of_ranks.h"

namespace trainyard::train {

// Float32 weights on the CPU.
bool canShareMemory(const optim::Optimizer& optimizer);

// Collective. Environment, the same on every rank: a rank could not make or reach the memory; then nothing was changed.
Result<std::unique_ptr<GradientAverager>> makeSharedAverager(const ProcessGroup& group, const HostsOfRanks& hosts,
                                                             optim::Optimizer& optimizer,
                                                             const AveragerOptions& options, Progress& progress);

} // namespace trainyard::train
