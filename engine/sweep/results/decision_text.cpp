// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/decision_text.h"

#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trainyard::sweep {
namespace {

using store::TrialDecision;

std::string ordinal(int place) {
    const int tens = place % 100, ones = place % 10;
    const char* end = tens >= 11 && tens <= 13 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
    return std::to_string(place) + end;
}

// " at epoch 3", " at step 100".
std::string whereText(const store::TrialDecisionRow& decision, bool epochs) {
    return (epochs ? " at epoch " : " at step ") + spec::toText(decision.rung);
}

// " at epoch 3", " at 100": a column has no room for more.
std::string whereBrief(const store::TrialDecisionRow& decision, bool epochs) {
    return epochs ? whereText(decision, epochs) : " at " + spec::toText(decision.rung);
}

// A stop rule of the sweep file, or the end of the sweep.
Reason endedReason(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec, const std::string& where) {
    if (causeFromString(decision.rule)) return {"ended with the sweep", "ended with the sweep"};
    const auto rule = static_cast<std::size_t>(decision.place);
    if (decision.rule != "stop" || rule >= spec.rules.stop.size()) return {"ended early", "ended early"};
    const auto& stop = spec.rules.stop[rule];
    return {"stop rule" + where, "ended by the sweep's stop rule" + where + ": " + stop.series + " " +
                                     fourDigits(decision.loss) + " is " + (stop.above ? "above " : "below ") +
                                     fourDigits(stop.limit)};
}

// "0.31, worse than the cut 0.52" and "val/accuracy 0.31 came 5th of 6, and 0.52 was needed".
Reason measuredReason(const store::TrialDecisionRow& decision, const run::Score& score) {
    if (!std::isfinite(decision.loss) && decision.places > 0)
        return {"too late", score.series + " was not measured by the deadline"};
    if (!std::isfinite(decision.loss)) return {"no finite number", score.series + " was not a finite number"};
    const auto value = [&](double loss) { return fourDigits(score.better == spec::Better::Larger ? -loss : loss); };
    Reason reason{value(decision.loss), score.series + " " + value(decision.loss)};
    if (decision.places > 0)
        reason.full += " came " + ordinal(decision.place) + " of " + std::to_string(decision.places);
    if (std::isfinite(decision.cut)) {
        reason.brief += ", worse than the cut " + value(decision.cut);
        reason.full += ", and " + value(decision.cut) + " was needed";
    }
    return reason;
}

} // namespace

Reason reasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec, bool epochs) {
    if (decision.decision == TrialDecision::Resumed) return {};
    if (decision.rule.find('@') != std::string::npos) { // a person
        const std::string text =
            (decision.decision == TrialDecision::Killed ? "killed by " : "stopped by ") + decision.rule;
        return {text, text};
    }
    const std::string where = whereText(decision, epochs);
    if (decision.decision == TrialDecision::Ended || causeFromString(decision.rule))
        return endedReason(decision, spec, where);
    const auto [brief, full] = decision.decision == TrialDecision::Paused   ? std::pair{"paused", "paused"}
                               : decision.decision == TrialDecision::Adopts ? std::pair{"to adopt", "told to adopt"}
                                                                            : std::pair{"stopped", "stopped early"};
    const Reason measured = measuredReason(decision, scoreOf(spec));
    return {brief + whereBrief(decision, epochs) + ": " + measured.brief,
            full + (" by " + decision.rule) + where + ": " + measured.full};
}

store::TrialDecisionRow decisionOf(const SweepEnd& end) {
    return {.trial = kWholeSweep,
            .decision = end.isFailure() ? TrialDecision::Failed : TrialDecision::Ended,
            .rule = toString(end.cause),
            .loss = end.amount,
            .cut = end.limit,
            .place = static_cast<int>(end.code)};
}

std::string endReasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec) {
    const auto cause = causeFromString(decision.rule);
    if (!cause || decision.trial != kWholeSweep) return {};
    const run::Score score = scoreOf(spec);
    const auto used = [&](const char* unit) {
        return "the budget is used up: " + fourDigits(decision.loss) + " of " + fourDigits(decision.cut) + unit;
    };
    const double sign = score.better == spec::Better::Larger ? -1 : 1;
    switch (*cause) {
    case SweepEnd::Cause::Seconds: return used(" seconds");
    case SweepEnd::Cause::TrainSeconds: return used(" seconds of training");
    case SweepEnd::Cause::Epochs: return used(" epochs");
    case SweepEnd::Cause::Target:
        return "the target is reached: " + score.series + " " + fourDigits(sign * decision.loss) + ", and " +
               fourDigits(sign * decision.cut) + " was asked for";
    case SweepEnd::Cause::IdleTrials: return fourDigits(decision.loss) + " consecutive trials without improvement";
    case SweepEnd::Cause::Failures:
        return fourDigits(decision.loss) + " of " + fourDigits(decision.cut) +
               " trials failed, and failure.maxShare is " + fourDigits(spec.rules.failure.maxShare);
    case SweepEnd::Cause::Asked: return "it was asked to finish";
    case SweepEnd::Cause::SameError:
        return std::string("the first three trials failed with the same error, ") +
               toString(static_cast<ErrorCode>(std::clamp(decision.place, 0, kErrorCodes - 1)));
    }
    return {};
}

std::string fourDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

} // namespace trainyard::sweep
