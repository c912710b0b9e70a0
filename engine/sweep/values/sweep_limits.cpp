// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/sweep_limits.h"

#include "engine/base/error_code.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace trainyard::sweep {
namespace {

using Cause = SweepEnd::Cause;

constexpr double kTickSeconds = 10; // between two that are recorded
constexpr int kFewest = 3;          // trials that have to fail before the sweep does
constexpr std::array kCauses = {
    std::pair{Cause::Seconds, "seconds"},       std::pair{Cause::TrainSeconds, "trainSeconds"},
    std::pair{Cause::Epochs, "epochs"},         std::pair{Cause::Target, "target"},
    std::pair{Cause::IdleTrials, "idleTrials"}, std::pair{Cause::Failures, "maxShare"},
    std::pair{Cause::SameError, "sameError"},   std::pair{Cause::Asked, "asked"}};

} // namespace

const char* toString(Cause cause) {
    return std::find_if(kCauses.begin(), kCauses.end(), [&](const auto& each) { return each.first == cause; })->second;
}

std::optional<Cause> causeFromString(std::string_view word) {
    for (const auto& [cause, name] : kCauses)
        if (word == name) return cause;
    return std::nullopt;
}

SweepLimits::SweepLimits(spec::SweepRules rules, spec::Better better, bool paired)
    : m_rules(std::move(rules)), m_paired(paired) {
    if (m_rules.budget.target)
        m_targetLoss = better == spec::Better::Larger ? -*m_rules.budget.target : *m_rules.budget.target;
}

void SweepLimits::lift() {
    m_rules.budget = {};
    m_rules.failure.maxShare = 1;
    m_targetLoss.reset();
    m_firstFailure.reset();
    m_end.reset();
}

bool SweepLimits::isTarget(const Event& report) const { return watchesReports() && report.loss <= *m_targetLoss; }

bool SweepLimits::matters(const Spent& spent) const {
    const bool limited = m_rules.budget.seconds > 0 || m_rules.budget.trainSeconds > 0 || m_rules.budget.epochs > 0;
    return limited && (endOf(spent) || spent.seconds >= m_spent.seconds + kTickSeconds);
}

// A run file that is wrong is so the second time, too.
bool SweepLimits::retries(const Failure& failure, int before) const {
    return failure.kind != ErrorKind::Input && before < m_rules.failure.retries;
}

std::optional<SweepEnd> SweepLimits::endOf(const Spent& spent) const {
    const auto& budget = m_rules.budget;
    for (const SweepEnd& each : {SweepEnd{Cause::Seconds, spent.seconds, budget.seconds},
                                 SweepEnd{Cause::TrainSeconds, spent.trainSeconds, budget.trainSeconds},
                                 SweepEnd{Cause::Epochs, spent.epochs, budget.epochs}})
        if (each.limit > 0 && each.amount >= each.limit) return each;
    return std::nullopt;
}

void SweepLimits::take(const Event& event, int trials) {
    switch (event.kind) {
    case Event::Kind::Tick:
        m_spent = event.spent;
        if (const auto end = endOf(m_spent)) endBy(*end);
        return;
    case Event::Kind::Report:
        if (isTarget(event)) endBy({Cause::Target, event.loss, *m_targetLoss});
        return;
    case Event::Kind::Ended:
    case Event::Kind::Failed:
    case Event::Kind::Stopped: return count(event, trials);
    default: return;
    }
}

void SweepLimits::count(const Event& event, int trials) {
    ++m_over;
    if (event.kind == Event::Kind::Failed) countFailure(event.failure, trials);
    else m_firstFailure.reset();
    const bool better = event.kind == Event::Kind::Ended && improvesBy(event);
    m_idle = better ? 0 : m_idle + 1;
    if (m_targetLoss && m_best <= *m_targetLoss) endBy({Cause::Target, m_best, *m_targetLoss});
    const int most = m_rules.budget.idleTrials;
    if (most > 0 && m_idle >= most) endBy({Cause::IdleTrials, double(m_idle), double(most)});
}

bool SweepLimits::improvesBy(const Event& end) {
    if (!m_paired) {
        const bool better = end.loss < m_best;
        if (better) m_best = end.loss;
        return better;
    }
    const LossPair pair{end.loss, end.second};
    const bool adds = pair.isFinite() && std::none_of(m_front.begin(), m_front.end(), [&](const LossPair& each) {
                          return each == pair || dominates(each, pair);
                      });
    if (!adds) return false;
    std::erase_if(m_front, [&](const LossPair& each) { return dominates(pair, each); });
    m_front.push_back(pair);
    return true;
}

void SweepLimits::countFailure(const Failure& failure, int trials) {
    if (isLostHost(failure.code)) return m_firstFailure.reset();
    ++m_failed;
    if (m_over == 1) m_firstFailure = failure;
    else if (m_firstFailure && !m_firstFailure->isLike(failure)) m_firstFailure.reset();
    const int of = trials > 0 ? trials : m_over;
    if (m_over == kFewest && m_firstFailure) endBy({Cause::SameError, kFewest, kFewest, m_firstFailure->code});
    if (m_failed >= kFewest && m_failed > m_rules.failure.maxShare * of)
        endBy({Cause::Failures, double(m_failed), double(of)});
}

std::string SweepLimits::state() const {
    nlohmann::json front = nlohmann::json::array();
    for (const LossPair& each : m_front) front.push_back({each.first, each.second});
    return jsonText(nlohmann::json{{"spent", {m_spent.seconds, m_spent.trainSeconds, m_spent.epochs}},
                                   {"best", m_best},
                                   {"front", std::move(front)},
                                   {"counts", {m_idle, m_over, m_failed}},
                                   {"alike", m_firstFailure ? toString(m_firstFailure->code) : ""},
                                   {"end", m_end ? toString(m_end->cause) : ""}});
}

} // namespace trainyard::sweep
