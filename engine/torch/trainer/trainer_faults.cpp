// SPDX-License-Identifier: GPL-3.0-or-later
// What the trainer does when a loss or a gradient is not finite. A rank whose loss is so makes its gradients NaN; the
// averaged gradients are then NaN on every rank, and all find it at the same step without asking one another.
#include "engine/torch/trainer/trainer.h"
#include "engine/torch/trainer/non_finite/diagnosis.h"

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
        m_badLoss = {.step = m_place.step + 1,
                     .why = whyNotFinite(*m_model, m_parameters, batch),
                     .ofData = !torch::isfinite(batch.inputs).all().item<bool>()};
    return loss * std::numeric_limits<float>::quiet_NaN();
}

// Collective: what the first rank with a bad loss says of it.
BadLoss Trainer::firstBadLoss() {
    const char* const kind = m_badLoss.ofData ? "d" : "w";
    const auto all = m_group.gatherText(m_badLoss.why.empty() ? std::string() : kind + m_badLoss.why);
    m_badLoss.why.clear();
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty()) return {.why = all[rank].substr(1), .rank = rank, .ofData = all[rank].front() == 'd'};
    return {};
}

Error Trainer::lossIsNotFinite(std::int64_t step) {
    if (m_badLoss.step != step) m_badLoss.why.clear();
    const BadLoss bad = firstBadLoss();
    const std::string number = std::to_string(step);
    const std::string rank = bad.why.empty() ? "" : "rank " + std::to_string(bad.rank);
    const std::string why = bad.why.empty() ? whyNotFinite(*m_model, m_parameters, {}) : bad.why;
    m_progress.step = step; // what came after it is void
    return runError("the loss is not a finite number at step " + number + (rank.empty() ? "" : " on " + rank) + ": " +
                        why,
                    (rank.empty() ? "" : rank + ", ") + "step " + number, remedyFor(bad))
        .withCode(ErrorCode::LossNotFinite);
}

// What helps against weights that grow without end is another thing than what helps against a bad sample.
std::string Trainer::remedyFor(const BadLoss& bad) const {
    if (bad.ofData) return "check the data; with failure.nonFinite \"skip\" such a step is left out";
    const double lr = m_policy.lr(m_place.step);
    return "lower optimizer.lr, to " + spec::toText(lr / 10) + " say (it was " + spec::toText(lr) +
           " at that step), or let failure.nonFinite \"rollback\" do so; where only some samples are out of range, "
           "\"skip\" leaves their steps out";
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
    const std::string place = bad.why.empty() ? step : "rank " + std::to_string(bad.rank) + ", " + step;
    const auto ends = [&](const std::string& why, const std::string& remedy) {
        return runError(why, place, remedy).withCode(ErrorCode::LossNotFinite);
    };
    using Then = NonFiniteRule::Then;
    switch (m_nonFinite.afterBadStep()) {
    case Then::End: return ends(where, remedyFor(bad));
    case Then::TooManySkips:
        return ends(std::to_string(NonFiniteRule::kMostSkipsInARow) +
                        " steps in a row were skipped, the last because " + where,
                    bad.ofData ? "check the data" : remedyFor(bad));
    case Then::TooManyRollbacks:
        return ends("went back to step " + std::to_string(m_rollbackState->step) + " " +
                        std::to_string(NonFiniteRule::kMostRollbacks) + " times with the same result: " + step + ": " +
                        where,
                    bad.ofData ? "check the data" : "begin with a lower optimizer.lr");
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
