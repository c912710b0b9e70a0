// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/schedule.h"

#include "engine/torch/base/arguments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::optim {
namespace {

Result<void> checkWarmup(double epochs, std::int64_t steps, std::int64_t totalSteps,
                         const train::Arguments& arguments) {
    if (steps <= totalSteps) return {};
    return inputError("the warm-up of " + spec::toText(epochs) + " epochs is longer than the run",
                      arguments.path("warmupEpochs"), "shorten it, or train for longer");
}

Result<double> lowestRate(double baseLr, const train::Arguments& arguments) {
    const double lowest = arguments.number("minLr");
    if (lowest <= baseLr) return lowest;
    return inputError("the lowest rate " + spec::toText(lowest) + " is above the learning rate " + spec::toText(baseLr),
                      arguments.path("minLr"));
}

// Half a cosine wave from `from` (t = 0) to `to` (t = 1).
double halfWave(double from, double to, double t) {
    return to + (from - to) * (1.0 + std::cos(std::numbers::pi * t)) / 2.0;
}

} // namespace

Result<Schedule> Schedule::make(const spec::Choice& choice, double baseLr, std::int64_t stepsPerEpoch,
                                std::int64_t totalSteps) {
    const std::vector<spec::Entry> entries = scheduleEntries();
    std::vector<std::string> names;
    for (const spec::Entry& entry : entries) names.push_back(entry.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "schedule"));
    const train::Arguments arguments(choice, entries[row], "schedule");
    TY_TRY(arguments.check());
    Schedule schedule;
    schedule.m_shape = static_cast<Shape>(row);
    schedule.m_baseLr = baseLr;
    schedule.m_totalSteps = totalSteps;
    schedule.m_stepsPerEpoch = std::max<std::int64_t>(1, stepsPerEpoch);
    if (schedule.m_shape != Shape::OneCycle) {
        const double warmup = arguments.number("warmupEpochs");
        schedule.m_warmupSteps = std::llround(warmup * static_cast<double>(stepsPerEpoch));
        TY_TRY(checkWarmup(warmup, schedule.m_warmupSteps, totalSteps, arguments));
    }
    TY_TRY(schedule.take(arguments));
    return schedule;
}

Result<void> Schedule::take(const train::Arguments& arguments) {
    switch (m_shape) {
    case Shape::Constant: break;
    case Shape::Step:
        m_gamma = arguments.number("gamma");
        m_everySteps = arguments.integer("everyEpochs") * m_stepsPerEpoch;
        break;
    case Shape::MultiStep:
        m_gamma = arguments.number("gamma");
        for (const std::int64_t epoch : arguments.integers("milestones")) {
            if (!m_milestones.empty() && epoch * m_stepsPerEpoch <= m_milestones.back())
                return inputError("epoch " + std::to_string(epoch) + " does not come after the one before it",
                                  arguments.path("milestones"), "give each epoch once, growing");
            m_milestones.push_back(epoch * m_stepsPerEpoch);
        }
        break;
    case Shape::Cosine: {
        TY_ASSIGN(m_endLr, lowestRate(m_baseLr, arguments));
        break;
    }
    case Shape::OneCycle:
        m_warmupShare = arguments.number("warmupShare");
        m_startDivisor = arguments.number("startDivisor");
        m_endDivisor = arguments.number("endDivisor");
        break;
    case Shape::Exponential: m_endLr = arguments.number("endLr"); break;
    case Shape::Plateau: {
        m_plateau = {arguments.text("metric"),      arguments.text("mode") == "max", arguments.number("factor"),
                     arguments.number("threshold"), arguments.integer("patience"),   arguments.integer("cooldown")};
        TY_ASSIGN(m_endLr, lowestRate(m_baseLr, arguments));
        break;
    }
    }
    return {};
}

double Schedule::at(std::int64_t step) const {
    if (step < m_warmupSteps) return m_baseLr * static_cast<double>(step + 1) / static_cast<double>(m_warmupSteps);
    return shapeAt(step);
}

double Schedule::shapeAt(std::int64_t step) const {
    const auto span = static_cast<double>(std::max<std::int64_t>(1, m_totalSteps - m_warmupSteps));
    const auto since = static_cast<double>(step - m_warmupSteps);
    switch (m_shape) {
    case Shape::Constant: break;
    case Shape::Step: return m_baseLr * std::pow(m_gamma, static_cast<double>(step / m_everySteps));
    case Shape::MultiStep: {
        const auto passed = std::upper_bound(m_milestones.begin(), m_milestones.end(), step) - m_milestones.begin();
        return m_baseLr * std::pow(m_gamma, static_cast<double>(passed));
    }
    case Shape::Cosine: return halfWave(m_baseLr, m_endLr, std::min(1.0, since / span));
    case Shape::OneCycle: return oneCycleAt(step);
    case Shape::Exponential:
        return m_baseLr * std::pow(m_endLr / m_baseLr, std::min(1.0, since / std::max(1.0, span - 1)));
    case Shape::Plateau: return std::max(m_endLr, m_baseLr * m_lowered);
    }
    return m_baseLr;
}

double Schedule::oneCycleAt(std::int64_t step) const {
    const double first = m_baseLr / m_startDivisor;
    const auto last = static_cast<double>(m_totalSteps - 1);
    const double top = m_warmupShare * static_cast<double>(m_totalSteps) - 1; // the step at the full rate
    const double at = std::min(static_cast<double>(step), last);
    if (at <= top) return halfWave(first, m_baseLr, top > 0 ? at / top : 1.0);
    return halfWave(m_baseLr, first / m_endDivisor, last > top ? (at - top) / (last - top) : 1.0);
}

bool Schedule::isBetter(double value) const {
    if (!m_hasBest) return true;
    return m_plateau.max ? value > m_best * (1 + m_plateau.threshold) : value < m_best * (1 - m_plateau.threshold);
}

bool Schedule::observe(const std::map<std::string, double>& metrics) {
    if (m_shape != Shape::Plateau) return false;
    const auto found = metrics.find(m_plateau.metric);
    if (found == metrics.end()) return false;
    if (isBetter(found->second)) {
        m_best = found->second;
        m_hasBest = true;
        m_badCount = 0;
    } else {
        ++m_badCount;
    }
    if (m_coolLeft > 0) {
        --m_coolLeft;
        m_badCount = 0;
    }
    if (m_badCount <= m_plateau.patience) return false;
    m_coolLeft = m_plateau.cooldown;
    m_badCount = 0;
    const double before = shapeAt(m_totalSteps);
    m_lowered *= m_plateau.factor;
    return shapeAt(m_totalSteps) < before;
}

std::map<std::string, double> Schedule::state() const {
    if (m_shape != Shape::Plateau) return {};
    std::map<std::string, double> state{{"plateau.lowered", m_lowered},
                                        {"plateau.bad", static_cast<double>(m_badCount)},
                                        {"plateau.cool", static_cast<double>(m_coolLeft)}};
    if (m_hasBest) state["plateau.best"] = m_best;
    return state;
}

void Schedule::restore(const std::map<std::string, double>& state) {
    const auto value = [&state](const char* name, double standard) {
        const auto found = state.find(name);
        return found == state.end() ? standard : found->second;
    };
    m_lowered = value("plateau.lowered", m_lowered);
    m_badCount = static_cast<std::int64_t>(value("plateau.bad", static_cast<double>(m_badCount)));
    m_coolLeft = static_cast<std::int64_t>(value("plateau.cool", static_cast<double>(m_coolLeft)));
    m_hasBest = state.contains("plateau.best");
    m_best = value("plateau.best", m_best);
}

double lrFactor(const std::string& rule, int worldSize) {
    if (rule == "linear") return worldSize;
    return rule == "sqrt" ? std::sqrt(static_cast<double>(worldSize)) : 1.0;
}

} // namespace trainyard::optim
