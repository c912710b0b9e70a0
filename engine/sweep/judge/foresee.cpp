// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/foresee.h"

#include "engine/base/math/hash_draw.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/search/first_searcher.h"

#include <algorithm>
#include <cmath>

namespace trainyard::sweep {
namespace {

// The share that the scheduler stops hardly changes with more trials than these.
constexpr int kRehearsed = 200;
constexpr long kMostEvents = 100'000;

// A sweep with this scheduler and length over an arbitrary space: only the scheduler's stops matter.
spec::SweepSpec rehearsalOf(const spec::SweepSpec& spec, int trials) {
    spec::SweepSpec rehearsal = spec;
    rehearsal.space = {{.path = "quality", .from = 0, .to = 1}};
    rehearsal.searcher = {"random", {}};
    rehearsal.trials = trials;
    rehearsal.seeds = 1;
    rehearsal.bestSeeded = 0;
    rehearsal.first.clear();
    rehearsal.warmStart.clear();
    rehearsal.rules = {};
    rehearsal.second.reset();
    return rehearsal;
}

// Trials in slots, each as good at every report as at its end.
class Rehearsal {
public:
    Rehearsal(Judge judge, double max, int slots)
        : m_judge(std::move(judge)), m_max(max), m_trained(m_judge.trials().size(), 0.0),
          m_slots(static_cast<std::size_t>(slots)) {}

    // How long all trials trained together.
    double run() {
        for (long events = 0; events < kMostEvents; ++events) {
            fill();
            if (!step()) break;
        }
        double all = 0;
        for (const double t : m_trained) all += t;
        return all;
    }

private:
    struct Slot {
        int trial = -1;
        double clock = 0;
    };

    void fill() {
        for (Slot& slot : m_slots) {
            if (slot.trial >= 0) continue;
            for (const Order& order : m_judge.take({.kind = Event::Kind::SlotFree}))
                if (order.kind == Order::Kind::Start || order.kind == Order::Kind::Resume) slot.trial = order.trial;
        }
    }
    double nextOf(int trial) const {
        const double next = std::min(m_judge.nextReport(trial), m_max);
        return next > m_trained[static_cast<std::size_t>(trial)] ? next : m_max;
    }
    // The next report or end of any trial. False: none trains.
    bool step() {
        Slot* first = nullptr;
        double soonest = kNever;
        for (Slot& slot : m_slots) {
            if (slot.trial < 0) continue;
            const double at = slot.clock + nextOf(slot.trial) - m_trained[static_cast<std::size_t>(slot.trial)];
            if (at < soonest) {
                soonest = at;
                first = &slot;
            }
        }
        if (first == nullptr) return false;
        const int trial = first->trial;
        const double t = nextOf(trial);
        first->clock = soonest;
        m_trained[static_cast<std::size_t>(trial)] = t;
        const bool ended = t >= m_max;
        const double loss = unitDraw(1, Draw::Candidate, static_cast<std::uint64_t>(trial), 0);
        if (ended) first->trial = -1;
        obey(m_judge.take(
            {.kind = ended ? Event::Kind::Ended : Event::Kind::Report, .trial = trial, .t = t, .loss = loss}));
        return true;
    }
    void obey(const std::vector<Order>& orders) {
        for (const Order& order : orders) {
            if (order.kind == Order::Kind::Start || order.kind == Order::Kind::Resume) continue;
            for (Slot& slot : m_slots)
                if (slot.trial == order.trial) slot.trial = -1;
        }
    }

    Judge m_judge;
    double m_max;
    std::vector<double> m_trained; // by trial
    std::vector<Slot> m_slots;
};

// The share of the full training that is still carried out, given the scheduler's stops.
Result<double> shareTrained(const spec::SweepSpec& spec, int trials, double max) {
    const int rehearsed = std::clamp(trials, 1, kRehearsed);
    TY_ASSIGN(Judge judge, Judge::make(rehearsalOf(spec, rehearsed)));
    const int slots = std::clamp(spec.parallel, 1, rehearsed);
    return Rehearsal(std::move(judge), max, slots).run() / (max * rehearsed);
}

// Of a scheduler that lets trials adopt none is stopped, and none is judged at rungs.
bool stopsTrials(const spec::SweepSpec& spec) {
    const auto& all = schedulers();
    return std::none_of(all.begin(), all.end(),
                        [&](const auto& each) { return each.info.name == spec.scheduler.name && each.adopts; });
}

const SearcherEntry& entryOf(const std::string& name) {
    const auto& all = searchers();
    return *std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.info.name == name; });
}

// The configurations as they are drawn while no trial has ended.
Result<void> listFirst(const spec::SweepSpec& spec, int atMost, Foreseen& foreseen) {
    const SearcherEntry& entry = entryOf(foreseen.searcher);
    TY_ASSIGN(const auto searcher, makeAfterFirst(entry, {spec, foreseen.rungs, 0}));
    const int listed = std::min(foreseen.configurations, atMost);
    for (int number = 0; number < listed; ++number) {
        Suggestion suggestion = searcher->suggest(number);
        searcher->take({.kind = Event::Kind::Started,
                        .trial = number,
                        .params = suggestion.params,
                        .memo = std::move(suggestion.memo)});
        foreseen.first.push_back(std::move(suggestion.params));
    }
    const auto* startup = entry.info.find("startup"); // of those that learn
    foreseen.known = listed;
    if (startup != nullptr) {
        const auto draws = spec.searcher.integer("startup", std::get<std::int64_t>(startup->defaultValue));
        foreseen.known = static_cast<int>(std::min<std::int64_t>(draws, listed));
    }
    return {};
}

// How long a trial trains, where its length is varied.
double lengthWith(const spec::Params& params, bool epochs, double max) {
    return spec::Choice{{}, params}.number(epochs ? "epochs" : "steps", max);
}

Result<double> longestOf(const spec::SweepSpec& spec, const Foreseen& foreseen, double max) {
    const std::string path = foreseen.epochs ? "epochs" : "steps";
    const auto axis =
        std::find_if(spec.space.begin(), spec.space.end(), [&](const spec::Axis& each) { return each.path == path; });
    if (axis == spec.space.end()) return max * foreseen.trials;
    TY_ASSIGN(const auto configurations, spec::foreseenConfigurations(spec));
    double all = 0, greatest = 0;
    for (const spec::Params& params : configurations) {
        const double length = lengthWith(params, foreseen.epochs, max);
        all += length;
        greatest = std::max(greatest, length);
    }
    const bool complete = static_cast<int>(configurations.size()) == foreseen.configurations;
    return complete && spec.bestSeeded == 0 ? all * spec.seeds : greatest * foreseen.trials;
}

} // namespace

Result<Foreseen> foresee(const spec::SweepSpec& given, int atMost, const run::Room& room) {
    TY_ASSIGN(const auto spec, checkedSweep(given));
    TY_ASSIGN(const auto length, lengthOf(spec));
    Foreseen foreseen;
    TY_ASSIGN(foreseen.configurations, spec::countConfigurations(spec));
    TY_ASSIGN(foreseen.trials, spec::countTrials(spec));
    foreseen.openEnded = spec::isOpenEnded(spec);
    foreseen.searcher = spec.searcher.name;
    if (spec.searcher.name == "auto") {
        auto chosen = chooseSearcher(spec);
        foreseen.searcher = std::move(chosen.name);
        foreseen.reason = std::move(chosen.reason);
    }
    foreseen.epochs = length.epochs;
    TY_ASSIGN(const auto configurations, spec::foreseenConfigurations(spec, 1));
    TY_ASSIGN(const auto trial, spec::trialSpec(spec, configurations.front(), 0));
    foreseen.slots = slotCount(spec, trial.scaling.workers, {.trials = foreseen.openEnded ? 0 : foreseen.trials}, room);
    if (stopsTrials(spec)) {
        TY_ASSIGN(const Judge judge, Judge::make(rehearsalOf(spec, 1)));
        foreseen.rungs = judge.rungs();
    }
    TY_TRY(listFirst(spec, atMost, foreseen));
    TY_ASSIGN(foreseen.longest, longestOf(spec, foreseen, length.max));
    foreseen.typical = foreseen.longest;
    if (!stopsTrials(spec)) return foreseen;
    TY_ASSIGN(const double share, shareTrained(spec, foreseen.trials, length.max));
    foreseen.typical *= share;
    return foreseen;
}

} // namespace trainyard::sweep
