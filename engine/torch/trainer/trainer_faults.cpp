// SPDX-License-Identifier: GPL-3.0-or-later
// What the trainer does when a loss or a gradient is not finite. A rank whose loss is so makes its gradients NaN; the
// averaged gradients are then NaN on every rank, and all find it at the same step without asking one another.
#include "engine/torch/trainer/trainer.h"
#include "engine/torch/trainer/trainer_diagnosis.h"

#include <cstdio>
#include <limits>

namespace trainyard::train {

// A forward pass changes running statistics, and one with NaN spoils them for good.
void Trainer::keepBuffersOfStep() {
    if (m_nonFinite.endsRun() && !m_precision.scalesLoss()) return;
    m_buffersBefore.keep(*m_model);
}

// The loss to go backward from, which makes all gradients NaN. The reason is looked for now, while the weights are
// those of the step and the batch is at hand.
torch::Tensor Trainer::noteBadLoss(const torch::Tensor& loss, const data::Batch& batch) {
    if (m_badLoss.why.empty())
        m_badLoss = {.step = m_place.step + 1, .why = whyNotFinite(*m_model, m_parameters, batch)};
    return loss * std::numeric_limits<float>::quiet_NaN();
}

// Collective: what the first rank with a bad loss says of it.
BadLoss Trainer::firstBadLoss() {
    const auto all = m_group.gatherText(m_badLoss.why);
    m_badLoss.why.clear();
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty()) return {.why = all[rank], .rank = rank};
    return {};
}

Error Trainer::lossIsNotFinite(std::int64_t step) {
    if (m_badLoss.step != step) m_badLoss.why.clear();
    const BadLoss bad = firstBadLoss();
    const std::string number = std::to_string(step);
    const std::string of = bad.why.empty() ? "" : " on rank " + std::to_string(bad.rank);
    const std::string why = bad.why.empty() ? whyNotFinite(*m_model, m_parameters, {}) : bad.why;
    return runError("the loss is not a finite number at step " + number + of + ": " + why, "step " + number,
                    "lower the learning rate, check the data, or set failure.nonFinite to skip or rollback")
        .withCode(ErrorCode::LossNotFinite);
}

// Collective, when finishStep() has left the weights as they were. False: the run was set back.
Result<bool> Trainer::stepWasSkipped() {
    const torch::NoGradGuard noGrad;
    m_buffersBefore.bringBack(*m_model);
    const BadLoss bad = firstBadLoss();
    std::string where;
    if (!bad.why.empty())
        where = "the loss of rank " + std::to_string(bad.rank) + " is not a finite number: " + bad.why;
    if (where.empty() && m_precision.scalesLoss() && m_precision.settle(true))
        return true; // only the factor was too large
    if (where.empty()) where = whichGradientNotFinite(m_parameters);
    const std::string step = "step " + std::to_string(m_place.step + 1);
    const auto ends = [&](const std::string& why, const char* remedy) {
        return runError(why, step, remedy).withCode(ErrorCode::LossNotFinite);
    };
    using Then = NonFiniteRule::Then;
    switch (m_nonFinite.afterBadStep()) {
    case Then::End: return ends(where, "lower the learning rate, or set failure.nonFinite to skip or rollback");
    case Then::TooManySkips:
        return ends(std::to_string(NonFiniteRule::kMostSkipsInARow) +
                        " steps in a row were skipped, the last because " + where,
                    "lower the learning rate, or check the data");
    case Then::TooManyRollbacks:
        return ends("went back to step " + std::to_string(m_rollbackState->step) + " " +
                        std::to_string(NonFiniteRule::kMostRollbacks) + " times with the same result: " + step + ": " +
                        where,
                    "check the data, or begin with a lower learning rate");
    case Then::RollBack: TY_TRY(rollBack(step + ": " + where)); return false;
    case Then::Skip: break;
    }
    say(step + " was skipped: " + where);
    return true;
}

// Back to the state of the newest checkpoint, which every rank keeps in memory for this, with a lower rate.
Result<void> Trainer::rollBack(const std::string& why) {
    TrainState& state = *m_rollbackState;
    m_policy.lowerLr();
    state.progress["lr.lowered"] = m_policy.state().at("lr.lowered");
    m_averager.reset();
    state = snapshot(state); // so that the averager's memory, which it may be a part of, can go
    TY_TRY(applyState(state, "the state kept for a rollback"));
    m_policy.restore(m_restored);
    m_precision.restore(m_restored);
    m_sampler->setEpoch(m_place.epoch);
    m_window.clear();
    m_series.forgetSteps(); // the points are void
    m_validatedStep = m_savedStep = m_place.step;
    m_endEarly = false;
    showProgress();
    TY_TRY(makeTheAverager());
    if (m_group.rank() != 0) return {};
    m_report.notify(wire::RolledBack{m_place.step, why + "; went back to step " + std::to_string(m_place.step) +
                                                       ", learning rate now " +
                                                       spec::toText(m_policy.lr(m_place.step))});
    return {};
}

// For people: the run's log and its one line of news.
void Trainer::say(const std::string& notice) {
    if (m_group.rank() == 0) m_report.notify(wire::Notice{m_place.step, notice});
}

} // namespace trainyard::train
