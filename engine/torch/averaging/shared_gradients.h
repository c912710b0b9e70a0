// SPDX-License-Identifier: GPL-3.0-or-later
// Averaging through memory that the ranks of a host share, for weights that the caller updates: each rank adds up its
// share of all ranks' gradients and writes the mean into every rank's buffer. Weights and optimizer stay each rank's
// own, and so do the averaged gradients, which may be clipped or added to freely: no other rank reads the buffer from
// the end of one finishStep() to the beginning of the next. A reduce-scatter followed by an all-gather, in memory; over
// several hosts as shared_averager.h says.
#pragma once

#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/hosts_of_ranks.h"

namespace trainyard::train {

// Collective. For float32 weights on the CPU. Environment, the same on every rank: a rank could not make or reach the
// memory.
Result<std::unique_ptr<GradientAverager>> makeSharedGradients(const ProcessGroup& group, const HostsOfRanks& hosts,
                                                              optim::Optimizer& optimizer,
                                                              const AveragerOptions& options, Progress& progress);

} // namespace trainyard::train
