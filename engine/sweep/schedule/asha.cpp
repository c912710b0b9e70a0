// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous successive halving (Li and others 2020, arXiv 1810.05934): `stop`, where a trial goes on unless it is
// too bad, and the choice between it and `promote`, which is in asha_promote.cpp. Of two series by the places of trials
// among their fronts (Schmucker and others 2021, arXiv 2106.12639).
#include "engine/base/json_text.h"
#include "engine/base/math/hash_draw.h"
#include "engine/sweep/schedule/asha_promote.h"
#include "engine/sweep/schedule/scheduler.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/values/loss_set.h"
#include "engine/sweep/values/pareto.h"

#include <nlohmann/json.hpp>

#include <map>

namespace trainyard::sweep {
namespace {

struct Rung {
    double t = 0;
    LossSet losses{};
    std::vector<LossPair> pairs{}; // in their place, of two series
};
using Bracket = std::vector<Rung>;

nlohmann::json toJson(const std::vector<LossPair>& pairs) {
    nlohmann::json list = nlohmann::json::array();
    for (const LossPair& each : pairs) list.push_back({each.first, each.second});
    return list;
}

class AshaStop final : public Scheduler {
public:
    AshaStop(double grace, double factor, int brackets, const SchedulerFrame& frame)
        : m_factor(factor), m_paired(frame.paired), m_seed(frame.seed) {
        for (int s = 0; s < brackets; ++s) {
            Bracket bracket;
            for (const double t : rungsFrom(grace * std::pow(factor, s), factor, frame.max))
                bracket.push_back({.t = t});
            if (!bracket.empty() || s == 0) m_brackets.push_back(std::move(bracket));
        }
    }

    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Started: m_live[event.trial] = {bracketOf(event.trial), 0}; return {};
        case Event::Kind::Report: return judge(event);
        case Event::Kind::Ended:
        case Event::Kind::Failed:
        case Event::Kind::Stopped: m_live.erase(event.trial); return {};
        case Event::Kind::SlotFree: return m_waiting.start();
        default: return {};
        }
    }

    bool startsInOrder() const override { return true; }
    double nextReport(int trial) const override {
        const auto live = m_live.find(trial);
        if (live == m_live.end()) return kNever;
        const Bracket& bracket = m_brackets[live->second.bracket];
        return live->second.next < bracket.size() ? bracket[live->second.next].t : kNever;
    }

    std::vector<double> rungs() const override {
        std::vector<double> list;
        for (const Rung& rung : m_brackets.front()) list.push_back(rung.t);
        return list;
    }

    std::string state() const override {
        nlohmann::json live = nlohmann::json::array(), brackets = nlohmann::json::array();
        for (const auto& [trial, place] : m_live) live.push_back({trial, place.bracket, place.next});
        for (const Bracket& bracket : m_brackets)
            for (const Rung& rung : bracket)
                if (m_paired) brackets.push_back({rung.t, toJson(rung.pairs)});
                else brackets.push_back({rung.t, rung.losses.size(), cutOf(rung), rung.losses.worst()});
        return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}, {"live", live}, {"rungs", brackets}});
    }

private:
    struct Place {
        std::size_t bracket = 0, next = 0; // the rung it has not been judged at yet
    };

    // Brackets with more rungs, in which trials are stopped sooner, get more of them: by e to the number of rungs.
    std::size_t bracketOf(int trial) const {
        double total = 0;
        for (const Bracket& bracket : m_brackets) total += std::exp(static_cast<double>(bracket.size()));
        double left = total * unitDraw(m_seed, Draw::Bracket, static_cast<std::uint64_t>(trial), 0);
        for (std::size_t s = 0; s + 1 < m_brackets.size(); ++s)
            if ((left -= std::exp(static_cast<double>(m_brackets[s].size()))) < 0) return s;
        return m_brackets.size() - 1;
    }

    double cutOf(const Rung& rung) const {
        return rung.losses.size() == 0 ? kNever : rung.losses.quantile(1 / m_factor);
    }

    // At the highest rung that the trial has reached and was not judged at.
    std::vector<Order> judge(const Event& report) {
        const auto live = m_live.find(report.trial);
        if (live == m_live.end()) return {};
        Bracket& bracket = m_brackets[live->second.bracket];
        std::size_t reached = live->second.next;
        while (reached < bracket.size() && bracket[reached].t <= report.t) ++reached;
        if (reached == live->second.next) return {};
        live->second.next = reached;
        Rung& rung = bracket[reached - 1];
        if (!std::isfinite(report.loss)) return {{Order::Kind::Stop, report.trial, {"asha", rung.t}}};
        if (m_paired) return judgePair(rung, report);
        const Why why{
            "asha", rung.t, report.loss, cutOf(rung), rung.losses.placeOf(report.loss), rung.losses.size() + 1};
        rung.losses.add(report.loss);
        if (report.loss > why.cut) return {{Order::Kind::Stop, report.trial, why}};
        return {};
    }

    // There is no quantile of pairs, but a place that it would have.
    std::vector<Order> judgePair(Rung& rung, const Event& report) const {
        const LossPair losses{report.loss, report.second};
        if (!losses.isFinite()) return {{Order::Kind::Stop, report.trial, {"asha", rung.t}}};
        const auto earlier = static_cast<int>(rung.pairs.size());
        rung.pairs.push_back(losses);
        const int place = placesOf(rung.pairs).back();
        if (earlier == 0 || place - 1 <= static_cast<int>((earlier - 1) / m_factor)) return {};
        return {{Order::Kind::Stop, report.trial, {"asha", rung.t, report.loss, kNoCut, place, earlier + 1}}};
    }

    double m_factor;
    bool m_paired; // trials are compared by two series
    std::uint64_t m_seed;
    std::vector<Bracket> m_brackets;
    std::map<int, Place> m_live;
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeAsha(const spec::Choice& options, const SchedulerFrame& frame) {
    TY_TRY(checkGrace(options, frame));
    const double grace = options.number("grace", 1), factor = options.number("factor", 3);
    if (options.text("mode", "stop") == "promote")
        return makeAshaPromote(rungsFrom(grace, factor, frame.max), factor, frame.paired);
    return std::unique_ptr<Scheduler>(
        std::make_unique<AshaStop>(grace, factor, static_cast<int>(options.integer("brackets", 1)), frame));
}

} // namespace

SchedulerEntry ashaScheduler() {
    return {
        .info = {"asha",
                 Engine::tr("ASHA"),
                 Engine::tr("Stops a trial at a rung if most earlier trials scored better there."),
                 {graceInfo(),
                  factorInfo(),
                  {.name = "mode",
                   .title = Engine::tr("Mode"),
                   .type = spec::ParamType::Option,
                   .defaultValue = std::string("stop"),
                   .options = {"stop", "promote"},
                   .help = Engine::tr(
                       "stop: continues unless ranked too low. promote: pauses at each rung; the best are promoted.")},
                  {.name = "brackets",
                   .title = Engine::tr("Brackets"),
                   .type = spec::ParamType::Integer,
                   .defaultValue = std::int64_t{1},
                   .min = 1.0,
                   .max = 10.0,
                   .help = Engine::tr("stop only: each extra bracket starts one rung later.")}}},
        .make = makeAsha};
}

} // namespace trainyard::sweep
