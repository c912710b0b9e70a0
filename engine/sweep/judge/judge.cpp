// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/judge.h"

#include "engine/base/error_code.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/better.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/run_spec.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/search/first_searcher.h"
#include "engine/sweep/search/seeded_searcher.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::sweep {
namespace {

constexpr int kMostHostsLost = 10; // by one trial

template <class Entries>
const auto& entryOf(const Entries& entries, const std::string& name) {
    return *std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.info.name == name; });
}

Result<std::unique_ptr<Scheduler>> makeScheduler(const spec::SweepSpec& spec) {
    TY_ASSIGN(const auto length, lengthOf(spec));
    return entryOf(schedulers(), spec.scheduler.name)
        .make(spec.scheduler,
              {length.max, static_cast<std::uint64_t>(spec.seed), spec::isOpenEnded(spec),
               spec.bestSeeded > 0 ? std::max(spec.seeds, 2) : spec.seeds, spec.second.has_value(), spec.space});
}

Result<std::unique_ptr<Searcher>> makeSearcher(const spec::SweepSpec& spec, const Scheduler& scheduler) {
    TY_ASSIGN(auto searcher,
              makeAfterFirst(entryOf(searchers(), spec.searcher.name),
                             {spec, scheduler.rungs(), entryOf(schedulers(), spec.scheduler.name).randomEvery}));
    const int seeds = spec::seedsOfEach(spec);
    return seeds > 1 ? withSeeds(std::move(searcher), seeds) : std::move(searcher);
}

template <class Entries>
std::vector<spec::Entry> infosOf(const Entries& entries) {
    std::vector<spec::Entry> infos;
    for (const auto& each : entries) infos.push_back(each.info);
    return infos;
}

// A trial that pauses goes on from its checkpoint later, or from another trial's. How long a program's runs are is not
// known.
Result<void> checkForProgram(const spec::SweepSpec& spec, const spec::RunSpec& run) {
    const auto& name = spec.scheduler.name;
    if (name == "hyperband")
        return inputError("divides the length of a run, and how long a program's runs are is not known",
                          "scheduler.name", "use \"halving\" or \"asha\"");
    const auto isElsewhere = [](const auto& host) { return !spec::isThisComputer(host) && !spec::isSlurmHost(host); };
    if (adopts(name) && std::ranges::any_of(run.hosts, isElsewhere))
        return inputError(
            "trials take over checkpoints of others, and those of a program stay on the hosts of its trials",
            "scheduler.name", "use \"asha\", \"median\" or \"fifo\", or run the trials on this computer");
    const bool promotes = name == "asha" && spec.scheduler.text("mode", "stop") == "promote";
    if ((!promotes && name != "halving" && !adopts(name)) || !run.program->resume.empty()) return {};
    return inputError("needs trials that pause and go on from their checkpoints, and it is not said how this program "
                      "goes on from one",
                      promotes ? "scheduler.mode" : "scheduler.name",
                      std::string("give it run.program.resume, such as [\"--resume\", \"{checkpoint}\"], or use ") +
                          (promotes ? "\"stop\"" : "\"asha\", \"median\" or \"fifo\""));
}

constexpr double kNoEnd = 1e9; // steps: the program knows when it ends

} // namespace

Result<RunLength> lengthOf(const spec::SweepSpec& spec) {
    TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, "the sweep's run"));
    if (run.program) return RunLength{kNoEnd, false};
    const auto length = run.steps ? *run.steps : run.epochs.value_or(1);
    if (length < 1) // before a scheduler judges its options by it
        return inputError("must be at least 1, found " + std::to_string(length), run.steps ? "run.steps" : "run.epochs",
                          "train for at least one");
    return RunLength{static_cast<double>(length), !run.steps};
}

Result<spec::SweepSpec> checkedSweep(spec::SweepSpec spec) {
    TY_TRY(spec::checkSpace(spec.space));
    auto errors = spec::checkChoice("searcher", spec.searcher, infosOf(searchers()));
    const auto wrong = spec::checkChoice("scheduler", spec.scheduler, infosOf(schedulers()));
    errors.insert(errors.end(), wrong.begin(), wrong.end());
    if (!errors.empty()) return spec::toError(errors, {});
    if (spec.seeds < 1)
        return inputError("must be at least 1, found " + std::to_string(spec.seeds), "seeds.count", "take 1");
    TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, "the sweep's run"));
    if (run.program) TY_TRY(checkForProgram(spec, run));
    TY_ASSIGN(const int trials, spec::countTrials(spec));
    if (trials < 1) return inputError("must be at least 1, found 0", "trials", "say how many to make");
    TY_ASSIGN(const auto scheduler, makeScheduler(spec));
    TY_ASSIGN(const auto searcher, makeSearcher(spec, *scheduler));
    return spec;
}

Judge::Judge(std::unique_ptr<Searcher> searcher, std::unique_ptr<Scheduler> scheduler, const spec::SweepSpec& spec,
             const FreshSeeds::Counts& counts)
    : m_searcher(std::move(searcher)), m_scheduler(std::move(scheduler)), m_rules(spec.rules),
      m_limits(spec.rules, spec::betterOf(spec.scoreBy, spec.mode), spec.second.has_value()),
      m_openEnded(spec::isOpenEnded(spec)), m_choosesHosts(!hostsOfTrials(spec).empty()), m_spec(spec),
      m_space(spec.space), m_fresh(counts, spec.second.has_value()), m_trials(static_cast<std::size_t>(counts.trials)) {
    for (int trial = 0; trial < counts.searched; ++trial)
        (void)m_scheduler->take({.kind = Event::Kind::Added, .trial = trial});
}

Result<Judge> Judge::make(const spec::SweepSpec& spec) {
    TY_ASSIGN(auto scheduler, makeScheduler(spec));
    TY_ASSIGN(auto searcher, makeSearcher(spec, *scheduler));
    TY_ASSIGN(const int trials, spec::countTrials(spec));
    TY_ASSIGN(const int searched, spec::countSearched(spec));
    return Judge(std::move(searcher), std::move(scheduler), spec,
                 {.searched = searched, .trials = trials, .seeds = spec.seeds});
}

double Judge::nextReport(int trial) const {
    const Trial& each = at(trial);
    const bool isJudged = each.wanted == Wanted::Running && !each.alone && !m_fresh.contains(trial);
    return isJudged ? m_scheduler->nextReport(trial) : kNever;
}

bool Judge::isRemembered(const Event& report) const {
    return nextReport(report.trial) < kNever && m_scheduler->remembers(report);
}

bool Judge::hasLostHost(int trial) const {
    const Trial& each = at(trial);
    return each.wanted == Wanted::Running && each.hostsLost > 0;
}

bool Judge::watches(int trial) const {
    const Trial& each = at(trial);
    if (each.wanted != Wanted::Running) return false;
    return nextReport(trial) < kNever || m_limits.watchesReports() || (!each.alone && !m_rules.stop.empty());
}

bool Judge::matters(const Event& event) const {
    if (event.kind == Event::Kind::SlotFree) return !end() && !m_paused;
    if (event.kind == Event::Kind::Tick)
        return !end() && (m_limits.matters(event.spent) || event.spent.seconds >= m_scheduler->nextTick());
    if (event.trial < 0 || event.trial >= static_cast<int>(m_trials.size())) return false;
    const Trial& trial = at(event.trial);
    const bool live = trial.wanted == Wanted::Running || trial.wanted == Wanted::Paused;
    switch (event.kind) {
    case Event::Kind::Report:
        return trial.wanted == Wanted::Running &&
               (event.t >= nextReport(event.trial) || isRemembered(event) || (!end() && m_limits.isTarget(event)));
    case Event::Kind::Passed: return live && !trial.alone;
    case Event::Kind::Adopted: return trial.wanted == Wanted::Adopting;
    case Event::Kind::Failed: // a new supervisor sees the last failure again
        if (event.failure.atMs != 0 && event.failure.atMs == trial.failedMs) return false;
        return live || trial.wanted == Wanted::Ending;
    default: return live || trial.wanted == Wanted::Ending;
    }
}

// What is tried again is no news to searcher and scheduler.
bool Judge::isTriedAgain(const Event& event) {
    Trial& trial = at(event.trial);
    if (end() || trial.wanted == Wanted::Ending) return false;
    const bool hostLost = m_choosesHosts && isLostHost(event.failure.code) && trial.hostsLost < kMostHostsLost;
    if (!hostLost && !m_limits.retries(event.failure, trial.failures)) return false;
    ++(hostLost ? trial.hostsLost : trial.failures);
    trial.failedMs = event.failure.atMs;
    return true;
}

// A trial that was ordered to end, or whose failure would repeat, is not started again; one that was stopped from
// outside the sweep is.
void Judge::endTrial(const Event& event) {
    Trial& trial = at(event.trial);
    Wanted& wanted = trial.wanted;
    const bool failed = event.kind == Event::Kind::Failed;
    trial.failed = failed;
    trial.lastFailedMs = failed ? event.failure.atMs : 0;
    const bool forGood = failed ? event.failure.kind == ErrorKind::Input : wanted == Wanted::Ending;
    wanted = forGood ? Wanted::Stopped : Wanted::Ended;
}

void Judge::endAdoption(const Event& event) {
    Trial& trial = at(event.trial);
    trial.wanted = Wanted::Paused;
    trial.adoption.reset();
    if (event.donor >= 0) trial.params = event.params;
}

// `live`: a trial that is ordered to start gets its parameters now. A recorded one has them in its Started.
std::vector<Order> Judge::advance(const Event& event, bool live) {
    if (event.kind == Event::Kind::Started) { // recorded after the SlotFree that ordered it
        at(event.trial).params = event.params;
        at(event.trial).started = true;
        if (m_fresh.contains(event.trial)) return {};
        m_searcher->take(event);
        (void)m_scheduler->take(event);
        return {};
    }
    if (event.kind == Event::Kind::Steered) return steer(event, live);
    if (!matters(event)) return {};
    if (event.kind == Event::Kind::Failed && isTriedAgain(event)) {
        if (live) m_record.push_back(event);
        return {};
    }
    if (event.kind == Event::Kind::Ended || event.kind == Event::Kind::Failed) endTrial(event);
    if (event.kind == Event::Kind::Adopted) endAdoption(event);
    std::vector<Order> orders;
    tell(event, orders);
    if (live && (event.kind != Event::Kind::SlotFree || !orders.empty())) m_record.push_back(event);
    obey(orders, live);
    if (end() && !std::exchange(m_closed, true)) endAll(orders);
    return orders;
}

// Those that end are no longer the scheduler's, and once the sweep does, nothing pauses.
void Judge::obey(std::vector<Order>& orders, bool live) {
    for (std::size_t i = 0; i < orders.size(); ++i) { // a stop can lead to more
        const Wanted wanted = at(orders[i].trial).wanted;
        const bool pauses = orders[i].kind == Order::Kind::Pause || orders[i].kind == Order::Kind::Adopt;
        const bool stops = orders[i].kind == Order::Kind::Stop;
        if ((pauses && end()) || ((pauses || stops) && wanted == Wanted::Ending) ||
            (stops && wanted == Wanted::Stopped)) {
            orders.erase(orders.begin() + static_cast<std::ptrdiff_t>(i--));
            continue;
        }
        apply(orders[i]);
        if (orders[i].kind == Order::Kind::Start && live) begin(orders[i]);
        if (stops) tell({.kind = Event::Kind::Stopped, .trial = orders[i].trial, .t = orders[i].why.rung}, orders);
    }
}

// A sweep that ends early starts no more trials. Paused ones are over; running ones are ended, or train to their end.
void Judge::endAll(std::vector<Order>& orders) {
    const bool asked = end()->cause == SweepEnd::Cause::Asked;
    const bool finish = asked || (m_rules.budget.finish && !end()->isFailure());
    for (std::size_t number = 0; number < m_trials.size(); ++number) {
        const Wanted wanted = m_trials[number].wanted;
        const bool waits = wanted == Wanted::Paused || wanted == Wanted::Adopting;
        if (!waits && (wanted != Wanted::Running || finish)) continue;
        const auto kind = waits ? Order::Kind::Stop : Order::Kind::End;
        orders.push_back({.kind = kind, .trial = static_cast<int>(number), .why = {.rule = toString(end()->cause)}});
        apply(orders.back());
    }
}

void Judge::tell(const Event& event, std::vector<Order>& orders) {
    if (event.kind == Event::Kind::Passed) {
        const auto& rule = m_rules.stop[static_cast<std::size_t>(event.rule)];
        orders.push_back({.kind = Order::Kind::End,
                          .trial = event.trial,
                          .why = {"stop", event.t, event.loss, rule.limit, event.rule, 0}});
        return;
    }
    if (m_fresh.contains(event.trial)) return; // the search is over, and nothing follows from it
    m_fresh.take(event);
    m_limits.take(event, m_openEnded ? 0 : static_cast<int>(m_trials.size()) - m_fresh.size());
    if (event.kind == Event::Kind::Report && event.t < nextReport(event.trial) && !isRemembered(event))
        return; // it only reaches the target
    if (event.kind != Event::Kind::Tick) m_searcher->take(event);
    for (Order& order : m_scheduler->take(event)) orders.push_back(std::move(order));
    if (m_fresh.isSearchOver()) beginFresh(event, orders);
}

// Where there are fewer good configurations than were asked for, some trials are not needed.
void Judge::beginFresh(const Event& event, std::vector<Order>& orders) {
    for (int number = m_fresh.searched(); m_fresh.contains(number); ++number) {
        Wanted& wanted = at(number).wanted;
        if (wanted != Wanted::Waiting) continue;
        if (m_fresh.originOf(number) < 0) wanted = Wanted::Stopped;
        else if (event.kind == Event::Kind::SlotFree) return orders.push_back({Order::Kind::Start, number});
    }
}

Suggestion Judge::suggestionFor(int trial) const {
    const Trial& each = at(trial);
    if (each.given) return {each.params};
    const int origin = m_fresh.contains(trial) ? m_fresh.originOf(trial) : -1;
    if (origin >= 0) return {at(origin).params};
    return m_searcher->suggest(trial);
}

void Judge::begin(Order& order) {
    auto suggestion = suggestionFor(order.trial);
    order.params = suggestion.params;
    const Event started{.kind = Event::Kind::Started,
                        .trial = order.trial,
                        .params = std::move(suggestion.params),
                        .memo = std::move(suggestion.memo)};
    (void)advance(started, true);
    m_record.push_back(started);
}

void Judge::apply(const Order& order) {
    Trial& trial = at(order.trial);
    Wanted& wanted = trial.wanted;
    switch (order.kind) {
    case Order::Kind::Start:
    case Order::Kind::Resume: wanted = Wanted::Running; return;
    case Order::Kind::Pause: wanted = Wanted::Paused; return;
    case Order::Kind::Stop: wanted = Wanted::Stopped; return;
    case Order::Kind::End: wanted = Wanted::Ending; return;
    case Order::Kind::Adopt:
        wanted = Wanted::Adopting;
        trial.adoption = std::make_unique<Adoption>(Adoption{order.donor, order.t, order.params});
        return;
    }
}

std::string Judge::state() const {
    nlohmann::json wanted = nlohmann::json::array();
    for (const Trial& trial : m_trials)
        wanted.push_back({static_cast<int>(trial.wanted), trial.failures, trial.hostsLost, trial.started, trial.given,
                          trial.alone, trial.killed, trial.failed});
    nlohmann::json space = nlohmann::json::array();
    for (const spec::Axis& axis : m_space) space.push_back({axis.from, axis.to, axis.values.size()});
    return jsonText(nlohmann::json{{"searcher", m_searcher->state()},
                                   {"scheduler", m_scheduler->state()},
                                   {"limits", m_limits.state()},
                                   {"steered", {m_paused, m_closed, m_openEnded, m_parallel.value_or(-1), m_withdrawn}},
                                   {"space", std::move(space)},
                                   {"trials", std::move(wanted)}});
}

} // namespace trainyard::sweep
