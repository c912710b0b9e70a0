// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/non_finite/non_finite_guard.h"

#include "engine/torch/trainer/non_finite/diagnosis.h"

#include <cstdio>
#include <limits>

namespace trainyard::train {
namespace {

// What helps against weights that grow without end is another thing than what helps against a bad sample.
std::string remedyFor(const BadLoss& bad, double lr) {
    if (bad.ofData) return "check the data, or set failure.nonFinite to \"skip\" to skip such steps";
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.3g", lr);
    return "lower optimizer.lr, to a tenth say (the rate was " + std::string(rate) +
           " at that step), or let failure.nonFinite \"rollback\" do so; if only some samples are out of range, "
           "\"skip\" leaves out their steps";
}

} // namespace

// A forward pass changes running statistics, and one with NaN spoils them for good.
void NonFiniteGuard::beginStep(const Learner& learner) {
    if (skips(learner)) m_buffers.keep(learner.model());
}

// The reason is looked for now, while the weights are those of the step and the batch is at hand.
torch::Tensor NonFiniteGuard::noteBadLoss(const torch::Tensor& loss, const data::Batch& batch, Learner& learner,
                                          std::int64_t step) {
    if (m_badLoss.why.empty())
        m_badLoss = {.step = step,
                     .why = whyNotFinite(learner.model(), learner.parameters(), batch),
                     .ofData = batch.inputs.defined() && !torch::isfinite(batch.inputs).all().item<bool>()};
    return loss * std::numeric_limits<float>::quiet_NaN();
}

// Collective: what the first rank with a bad loss says of it.
BadLoss NonFiniteGuard::firstBadLoss(const ProcessGroup& group) {
    const char* const kind = m_badLoss.ofData ? "d" : "w";
    const auto all = group.gatherText(m_badLoss.why.empty() ? std::string() : kind + m_badLoss.why);
    m_badLoss.why.clear();
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty()) return {.why = all[rank].substr(1), .rank = rank, .ofData = all[rank].front() == 'd'};
    return {};
}

Error NonFiniteGuard::lossIsNotFinite(Learner& learner, const ProcessGroup& group, std::int64_t step, double lr) {
    if (m_badLoss.step != step) m_badLoss.why.clear();
    const BadLoss bad = firstBadLoss(group);
    const std::string number = std::to_string(step);
    const std::string rank = bad.why.empty() ? "" : "rank " + std::to_string(bad.rank);
    const std::string why = bad.why.empty() ? whyNotFinite(learner.model(), learner.parameters(), {}) : bad.why;
    return runError("the loss is not a finite number at step " + number + (rank.empty() ? "" : " on " + rank) + ": " +
                        why,
                    (rank.empty() ? "" : rank + ", ") + "step " + number, remedyFor(bad, lr))
        .withCode(ErrorCode::LossNotFinite);
}

Result<NonFiniteGuard::Skipped> NonFiniteGuard::skipStep(Learner& learner, const ProcessGroup& group,
                                                         std::int64_t step) {
    const torch::NoGradGuard noGrad;
    m_buffers.bringBack(learner.model());
    const BadLoss bad = firstBadLoss(group);
    std::string where;
    if (!bad.why.empty())
        where = "the loss of rank " + std::to_string(bad.rank) + " is not a finite number: " + bad.why;
    if (where.empty() && learner.precision().scalesLoss() && learner.precision().settle(true)) return Skipped{};
    if (where.empty()) where = whichGradientNotFinite(learner.parameters());
    const std::string name = "step " + std::to_string(step);
    const std::string place = bad.why.empty() ? name : "rank " + std::to_string(bad.rank) + ", " + name;
    const std::string remedy = remedyFor(bad, learner.policy().lr(step - 1));
    const auto ends = [&](const std::string& why, const std::string& help) {
        return runError(why, place, help).withCode(ErrorCode::LossNotFinite);
    };
    using Then = NonFiniteRule::Then;
    switch (m_rule.afterBadStep()) {
    case Then::End: return ends(where, remedy);
    case Then::TooManySkips:
        return ends(std::to_string(NonFiniteRule::kMostSkipsInARow) +
                        " steps in a row were skipped, the last because " + where,
                    bad.ofData ? "check the data" : remedy);
    case Then::TooManyRollbacks:
        return ends("went back to step " + std::to_string(m_state->step) + " " +
                        std::to_string(NonFiniteRule::kMostRollbacks) + " times with the same result: " + name + ": " +
                        where,
                    bad.ofData ? "check the data" : "begin with a lower optimizer.lr");
    case Then::RollBack: return Skipped{true, name + ": " + where};
    case Then::Skip: break;
    }
    return Skipped{false, name + " was skipped: " + where};
}

void NonFiniteGuard::beginGroup() {
    m_badLoss.why.clear();
    m_rule.beginAnew();
}

} // namespace trainyard::train
