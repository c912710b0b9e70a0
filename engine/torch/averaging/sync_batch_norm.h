// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/group/process_group.h"

namespace trainyard::train {

// While one of these lives, batch normalisation in training mode takes mean and variance over the batches of all ranks,
// and its gradients too: ranks with a part of a batch each compute what one process computes on the whole. It stands in
// for LibTorch's operator, so that it holds for every model, also one from a TorchScript file. Each normalisation then
// waits for all ranks, in forward and in backward. One at a time in a process. Batch normalisation is that of Ioffe and
// Szegedy, 2015, arXiv:1502.03167; the semantics are those of torch.nn.SyncBatchNorm.
class SyncBatchNorm {
public:
    explicit SyncBatchNorm(const ProcessGroup& group);
    ~SyncBatchNorm();
    SyncBatchNorm(const SyncBatchNorm&) = delete;
    SyncBatchNorm& operator=(const SyncBatchNorm&) = delete;
};

} // namespace trainyard::train
