// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/process_group.h"

namespace trainyard::train {

// The sums of the step in progress, added up over the ranks while the gradients are: a rank that gets as far as
// counting the step has them, so a rank that is lost takes none with it. On one host they go through shared memory
// without a wait; otherwise one small all-gather runs beside the backward pass. Calls come in the same order on every
// rank; they throw what the group throws.
class StepSums {
public:
    // `group`: the ranks whose gradients are averaged.
    explicit StepSums(ProcessGroup group = ProcessGroup::single()) : m_group(std::move(group)) {}

    // The sums of one micro-batch, double [width], that may lie on a device (nothing is waited for then).
    void add(const torch::Tensor& sums) { m_own = m_own.defined() ? m_own + sums : sums; }
    // After the last micro-batch's forward pass, before its gradients are averaged: tells the other ranks.
    void tell();
    // Before averaging ends. After it total() needs no other rank.
    void wait(Progress& progress);
    // Once averaging has ended, here or on any rank: the sums over the ranks, added up in their order. Ends the step.
    torch::Tensor total();

private:
    ProcessGroup m_group;
    torch::Tensor m_own;                     // of the step in progress
    std::vector<torch::Tensor> m_all;        // every rank's, by rank; where there is no mailbox
    c10::intrusive_ptr<c10d::Work> m_coming; // they are on their way
};

} // namespace trainyard::train
