// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/rejoiner.h"

#include <algorithm>
#include <tuple>

namespace trainyard::train {

torch::Tensor Position::toTensor() const {
    return torch::tensor({known, step, epoch, batchInEpoch, windowSteps, keptSteps, windowTarget, settled, validated,
                          saved, totalSteps, totalEpochs, reporter, world, endEarly, stepsPerEpoch, toStop, gradNorm,
                          lastLr},
                         torch::kInt64);
}

Position Position::of(const torch::Tensor& tensor) {
    const auto n = tensor.accessor<std::int64_t, 1>();
    return {n[0],  n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7],  n[8], n[9],
            n[10], n[11], n[12], n[13], n[14], n[15], n[16], n[17], n[18]};
}

RejoinPlan::RejoinPlan(std::vector<Position> all) : m_all(std::move(all)) {
    const auto progress = [this](std::size_t rank) {
        return std::tuple(m_all[rank].known, m_all[rank].step, m_all[rank].settled);
    };
    for (std::size_t rank = 0; rank < m_all.size(); ++rank)
        if (progress(rank) > progress(m_donor)) m_donor = rank;
}

bool RejoinPlan::isBehind(const Position& each) const {
    return !each.known || each.step < newest().step || each.settled < newest().settled;
}

bool RejoinPlan::anyBehind() const {
    return std::any_of(m_all.begin(), m_all.end(), [this](const Position& each) { return isBehind(each); });
}

std::int64_t RejoinPlan::openSteps() const {
    std::int64_t first = newest().step;
    const bool newReporter = m_all.front().reporter == 0;
    for (const auto& each : m_all)
        if (each.known) first = std::min(first, each.step - each.windowSteps - (newReporter ? each.keptSteps : 0));
    return newest().step - first;
}

bool RejoinPlan::savesAndEnds() const {
    return std::all_of(m_all.begin(), m_all.end(), [](const Position& each) { return each.known != 0; }) &&
           std::any_of(m_all.begin(), m_all.end(), [](const Position& each) { return each.toStop != 0; });
}

bool RejoinPlan::isSettled() const {
    return m_all.front().reporter && std::all_of(m_all.begin(), m_all.end(), [this](const Position& each) {
               return !each.known || each.settled == newest().step;
           });
}

std::int64_t RejoinPlan::validatedStep() const {
    std::int64_t step = m_all.front().reporter ? m_all.front().validated : -1;
    for (const auto& each : m_all) // what a validation decides, all must have seen
        if (each.known) step = std::min(step, each.validated);
    return step;
}

std::int64_t RejoinPlan::savedStep() const { return m_all.front().reporter ? m_all.front().saved : -1; }

void Rejoiner::leave(const ProcessGroup& group) {
    if (m_lastWorld != 0) return;
    m_wasReporter = group.rank() == 0;
    m_lastWorld = group.worldSize();
}

void Rejoiner::rejoined() {
    m_lostPeer = false;
    m_lastWorld = 0;
}

void Rejoiner::describe(Position& mine) const {
    mine.settled = m_settledStep;
    mine.reporter = mine.known && m_wasReporter;
    mine.world = m_lastWorld;
}

} // namespace trainyard::train
