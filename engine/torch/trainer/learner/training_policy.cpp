// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/training_policy.h"

#include "engine/spec/run/better.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trainyard::train {
namespace {

constexpr double kSpike = 10; // times the usual norm
constexpr int kLearning = 20; // norms before anything is called usual
constexpr int kQuiet = 50;    // norms between two notices

double valueOr(const std::map<std::string, double>& state, const char* name, double fallback) {
    const auto found = state.find(name);
    return found == state.end() ? fallback : found->second;
}

} // namespace

Result<TrainingPolicy> TrainingPolicy::make(const spec::RunSpec& spec, double baseLr, int worldSize,
                                            optim::RunSteps steps) {
    TrainingPolicy policy;
    const double lr = baseLr * optim::lrFactor(spec.scaling.lrRule, worldSize);
    // A fast dev run is cut after a step; the rate is that of the run that it tries out.
    const std::int64_t planned = spec.steps.value_or(spec.epochs.value_or(1) * steps.perEpoch);
    if (spec.debug.fastDevRun) steps.total = std::max(steps.total, planned);
    TY_ASSIGN(policy.m_schedule, optim::Schedule::make(spec.schedule, lr, steps));
    if (spec.scaling.lrRule != "none")
        policy.m_lrNote = "learning rate " + spec::toText(lr) + " = " + spec::toText(baseLr) +
                          (spec.scaling.lrRule == "sqrt" ? " x the square root of " : " x ") +
                          std::to_string(worldSize) + " workers";
    policy.m_live = LiveLr(baseLr);
    policy.m_earlyStop = spec.earlyStop;
    policy.m_rollbackFactor = spec.failure.rollbackLrFactor;
    return policy;
}

double TrainingPolicy::lr(std::int64_t step) const { return m_live.of(m_schedule.at(step)) * m_lowered; }

bool TrainingPolicy::stopsEarly(double value) {
    const auto better = spec::betterOf(m_earlyStop.metric, m_earlyStop.mode);
    if (!m_hasBest || spec::gain(better, value, m_best) > m_earlyStop.minDelta) {
        m_best = value;
        m_hasBest = true;
        m_bad = 0;
    } else {
        ++m_bad;
    }
    return m_bad >= m_earlyStop.patience;
}

TrainingPolicy::Verdict TrainingPolicy::observe(const std::map<std::string, double>& validation, std::int64_t step) {
    if (step == m_observedStep) return m_verdict;
    m_observedStep = step;
    Verdict& verdict = m_verdict = {};
    const double before = lr(step);
    if (m_schedule.observe(validation))
        verdict.notices.push_back("the validation metric stopped improving: learning rate " + spec::toText(before) +
                                  " -> " + spec::toText(lr(step)));
    if (m_earlyStop.metric.empty()) return verdict;
    const auto found = validation.find(m_earlyStop.metric);
    if (found == validation.end()) return verdict;
    verdict.stop = stopsEarly(found->second);
    if (verdict.stop)
        verdict.notices.push_back("stopped early: " + m_earlyStop.metric + " has not been better than " +
                                  spec::toText(m_best) + " in " + std::to_string(m_bad) + " validations");
    return verdict;
}

std::string TrainingPolicy::observeNorm(double norm, std::int64_t step) {
    if (!std::isfinite(norm)) return {};
    std::string notice;
    if (m_norms >= kLearning && m_quiet == 0 && norm > kSpike * m_usualNorm) {
        char text[160];
        std::snprintf(text, sizeof text, "the gradient's norm jumped to %.3g at step %lld; %.3g is usual", norm,
                      static_cast<long long>(step), m_usualNorm);
        notice = text;
        m_quiet = kQuiet;
    } else if (m_quiet > 0) {
        --m_quiet;
    }
    ++m_norms;
    m_usualNorm += (norm - m_usualNorm) / std::min(m_norms, kLearning);
    return notice;
}

std::map<std::string, double> TrainingPolicy::state() const {
    auto state = m_schedule.state();
    state["lr.lowered"] = m_lowered;
    state["course.observed"] = static_cast<double>(m_observedStep);
    m_live.save(state);
    if (!m_earlyStop.metric.empty()) state["earlyStop.bad"] = m_bad;
    if (m_hasBest) state["earlyStop.best"] = m_best;
    return state;
}

void TrainingPolicy::restore(const std::map<std::string, double>& state) {
    m_schedule.restore(state);
    m_live.restore(state);
    m_lowered = valueOr(state, "lr.lowered", m_lowered);
    m_observedStep = static_cast<std::int64_t>(valueOr(state, "course.observed", -1));
    m_bad = static_cast<int>(valueOr(state, "earlyStop.bad", m_bad));
    m_hasBest = state.contains("earlyStop.best");
    m_best = valueOr(state, "earlyStop.best", m_best);
}

double LiveLr::of(double scheduled) const {
    if (!m_set || scheduled == m_scheduled) return m_set ? m_value : scheduled;
    return m_scheduled > 0 ? scheduled * (m_value / m_scheduled) : m_value;
}

void LiveLr::set(double value, double scheduled) {
    m_value = value;
    m_scheduled = scheduled;
    m_set = true;
}

void LiveLr::save(std::map<std::string, double>& progress) const {
    if (!m_set) return;
    progress["rateSet"] = m_value;
    progress["rateScheduled"] = m_scheduled;
    progress["rateBase"] = m_baseLr;
}

void LiveLr::restore(const std::map<std::string, double>& progress) {
    const auto value = progress.find("rateSet"), scheduled = progress.find("rateScheduled"),
               base = progress.find("rateBase");
    if (value == progress.end() || scheduled == progress.end() || base == progress.end()) return;
    if (base->second == m_baseLr) set(value->second, scheduled->second);
}

} // namespace trainyard::train
