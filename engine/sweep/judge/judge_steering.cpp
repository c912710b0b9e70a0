// SPDX-License-Identifier: GPL-3.0-or-later
// What a person can ask of a sweep, and what follows from it.
#include "engine/base/text/quoted.h"
#include "engine/sweep/judge/judge.h"

#include <algorithm>
#include <utility>

namespace trainyard::sweep {
namespace {

using Verb = Steering::Verb;

constexpr int kMostParallel = 1024; // as in a sweep file

std::string inWords(const Judge::Trial& trial) {
    if (!trial.started) return trial.wanted == Wanted::Stopped ? "was withdrawn before it started" : "has not started";
    switch (trial.wanted) {
    case Wanted::Waiting: return "has not started";
    case Wanted::Running: return "is being trained";
    case Wanted::Paused: return "is paused";
    case Wanted::Adopting: return "is adopting the state of another trial";
    case Wanted::Ending: return "is ending already";
    case Wanted::Stopped:
        return trial.killed ? "was killed" : trial.failed ? "failed because of its input" : "was stopped";
    case Wanted::Ended: return trial.failed ? "has failed" : "has trained to its end";
    }
    return {};
}

bool canEnd(const Judge::Trial& trial) {
    return trial.wanted == Wanted::Running || trial.wanted == Wanted::Paused || trial.wanted == Wanted::Adopting;
}
bool canBePromoted(const Judge::Trial& trial) {
    if (trial.wanted == Wanted::Paused) return true;
    return trial.wanted == Wanted::Stopped && trial.started && !trial.killed && !trial.failed;
}
bool canBeRetried(const Judge::Trial& trial) { return trial.failed && trial.wanted == Wanted::Ended; }

const char* remedyOf(Verb verb, const Judge::Trial& trial) {
    if (!trial.started) return "wait until it has started, or enqueue its values";
    if (trial.failed) return trial.wanted == Wanted::Ended ? "retry it" : "enqueue other values";
    if (trial.killed) return "enqueue its values to train them again";
    if (verb == Verb::Retry && canBePromoted(trial)) return "promote it";
    return "no change is needed";
}

std::string enqueueCommand(const spec::SweepSpec& spec) {
    return "trainyardctl sweep enqueue " + (spec.name.empty() ? "SWEEP" : shellArgument(spec.name)) +
           " --set PATH=VALUE";
}

} // namespace

Result<void> Judge::checkTrial(const Steering& asked) const {
    const auto known = static_cast<int>(m_trials.size());
    if (asked.trial < 0 || asked.trial >= known)
        return inputError("is not a trial of the sweep, found " + std::to_string(asked.trial), "trial",
                          "take one of 0 to " + std::to_string(known - 1));
    const Trial& trial = at(asked.trial);
    const bool can = asked.verb == Verb::Promote ? canBePromoted(trial)
                     : asked.verb == Verb::Retry ? canBeRetried(trial)
                     : asked.verb == Verb::Kill  ? canEnd(trial) || trial.wanted == Wanted::Ending
                                                 : canEnd(trial);
    if (can) return {};
    return inputError(inWords(trial) + ", found " + toString(asked.verb), "trial " + std::to_string(asked.trial),
                      remedyOf(asked.verb, trial));
}

// The trials with fresh seeds follow the last one of the search.
Result<void> Judge::checkNoFreshSeeds(const char* path, const std::string& found) const {
    if (m_fresh.size() == 0) return {};
    return inputError("cannot change: fresh seeds for the best follow the search" + found, path,
                      "start another sweep, with this one as its warmStart");
}

// Of `count` configurations more.
Result<void> Judge::checkRoom(const char* path, int found, int count) const {
    const std::string text = ", found " + std::to_string(found);
    TY_TRY(checkNoFreshSeeds(path, text));
    if (spec::isGrid(m_spec))
        return inputError("cannot grow: the sweep tries every point of a grid" + text, path,
                          "enqueue the configurations that you want: " + enqueueCommand(m_spec));
    if (m_openEnded) {
        if (end()) return {}; // those that wait are taken
        return inputError("has no meaning while only the budget limits the sweep" + text, path,
                          "set trials=N first, or enqueue the configurations that you want: " + enqueueCommand(m_spec));
    }
    TY_TRY(checkNumbers(path, text, count));
    const int known = configurations();
    auto wide = m_spec;
    wide.trials = known + count;
    TY_ASSIGN(const int possible, spec::countConfigurations(wide));
    if (possible < known + count)
        return inputError("is more than there is: the space has " + std::to_string(possible) + " configurations, and " +
                              std::to_string(known) + " are planned" + text,
                          path, "take at most " + std::to_string(possible - known));
    return {};
}

Result<void> Judge::checkNumbers(const char* path, const std::string& found, int count) const {
    const int most = (spec::kMaxTrials - static_cast<int>(m_trials.size())) / spec::seedsOfEach(m_spec);
    if (count <= most) return {};
    return inputError("would make more than 100000 trials" + found, path, "take at most " + std::to_string(most));
}

Result<void> Judge::checkSet(const Steering& asked) const {
    if (!asked.parallel && !asked.trials)
        return inputError("nothing is given", "set", "for example: parallel=4, or trials=100");
    if (asked.parallel && (*asked.parallel < 0 || *asked.parallel > kMostParallel))
        return inputError("must be 0 to 1024, found " + std::to_string(*asked.parallel), "parallel",
                          "0 takes as many as the cores allow");
    if (!asked.trials) return {};
    if (*asked.trials < 1)
        return inputError("must be at least 1, found " + std::to_string(*asked.trials), "trials",
                          "finish the sweep to start nothing more");
    TY_TRY(checkNoFreshSeeds("trials", ", found " + std::to_string(*asked.trials)));
    const int more = *asked.trials - configurations();
    return more > 0 ? checkRoom("trials", *asked.trials, more) : Result<void>();
}

Result<void> Judge::check(const Steering& asked) const {
    switch (asked.verb) {
    case Verb::Stop:
    case Verb::Kill:
    case Verb::Promote:
    case Verb::Retry: return checkTrial(asked);
    case Verb::Add:
        if (asked.count < 1 || asked.count > spec::kMaxTrials)
            return inputError("must be 1 to 100000, found " + std::to_string(asked.count), "count", "take 1");
        return checkRoom("count", asked.count, asked.count);
    case Verb::Enqueue: {
        TY_TRY(checkNoFreshSeeds("enqueue", ", found one more"));
        TY_ASSIGN([[maybe_unused]] const auto point, spec::pointOf(m_spec.space, asked.params));
        return m_openEnded ? Result<void>() : checkNumbers("enqueue", ", found one more", 1);
    }
    case Verb::Restrict: {
        TY_ASSIGN([[maybe_unused]] const auto space, spec::restricted(m_spec.space, asked.restriction));
        return {};
    }
    case Verb::Set: return checkSet(asked);
    case Verb::Pause:
        if (m_paused) return inputError("is paused already, found pause", "sweep", "resume it");
        break;
    case Verb::Resume:
        if (!m_paused) return inputError("is not paused, found resume", "sweep", "no change is needed");
        return {};
    case Verb::Finish: break;
    }
    if (end())
        return inputError(std::string("is finishing already, found ") + toString(asked.verb), "sweep",
                          "no change is needed");
    return {};
}

int Judge::configurations() const {
    return static_cast<int>(m_trials.size() - static_cast<std::size_t>(m_withdrawn)) / spec::seedsOfEach(m_spec);
}

int Judge::planned() const { return static_cast<int>(m_trials.size()) - m_withdrawn; }

std::vector<Order> Judge::steer(const Event& event, bool live) {
    if (live) m_record.push_back(event);
    std::vector<Order> orders;
    const Steering& asked = event.steering;
    switch (asked.verb) {
    case Verb::Stop:
    case Verb::Kill: endByHand(asked, orders); break;
    case Verb::Promote:
    case Verb::Retry: takeUp(asked, orders); break;
    case Verb::Add:
        reopen(asked.count, orders);
        addConfigurations(asked.count);
        break;
    case Verb::Enqueue: enqueue(asked, orders); break;
    case Verb::Restrict: restrict(asked.restriction, orders); break;
    case Verb::Set: set(asked, orders); break;
    case Verb::Pause: m_paused = true; break;
    case Verb::Resume: m_paused = false; break;
    case Verb::Finish:
        m_paused = false;
        m_limits.finish();
        break;
    }
    obey(orders, live);
    if (end() && !std::exchange(m_closed, true)) endAll(orders);
    return orders;
}

// One that pauses has saved already.
void Judge::endByHand(const Steering& asked, std::vector<Order>& orders) {
    Trial& trial = at(asked.trial);
    trial.killed = asked.verb == Verb::Kill;
    const bool saves = !trial.killed && trial.wanted == Wanted::Running;
    if (trial.wanted == Wanted::Ending) trial.wanted = Wanted::Running; // it is not waited for
    orders.push_back(
        {.kind = saves ? Order::Kind::End : Order::Kind::Stop, .trial = asked.trial, .why = {.rule = asked.author}});
}

// The trial is on its own from here on: no scheduler judges it and no rule ends it.
void Judge::takeUp(const Steering& asked, std::vector<Order>& orders) {
    reopen(0, orders);
    Trial& trial = at(asked.trial);
    const bool paused = trial.wanted == Wanted::Paused;
    trial.alone = true;
    if (asked.verb == Verb::Retry) {
        trial.failed = false;
        trial.failedMs = trial.lastFailedMs;
        ++trial.failures;
    }
    orders.push_back({.kind = Order::Kind::Resume, .trial = asked.trial});
    if (!paused) return; // the scheduler has forgotten it already
    for (Order& order : m_scheduler->take({.kind = Event::Kind::Stopped, .trial = asked.trial}))
        orders.push_back(std::move(order));
}

// A sweep that has ended early continues with what is requested from now on, and nothing else. Where the number of
// configurations is open, `keep` of those that still wait are kept.
void Judge::reopen(int keep, std::vector<Order>& orders) {
    if (!end()) return;
    m_limits.lift();
    m_closed = false;
    for (std::size_t number = 0; number < m_trials.size(); ++number) { // those that paused when the sweep ended
        if (!m_trials[number].started || m_trials[number].wanted != Wanted::Stopped) continue;
        for (Order& order : m_scheduler->take({.kind = Event::Kind::Stopped, .trial = static_cast<int>(number)}))
            orders.push_back(std::move(order));
    }
    int kept = m_openEnded ? keep * spec::seedsOfEach(m_spec) : 0;
    m_openEnded = false;
    for (std::size_t number = 0; number < m_trials.size(); ++number)
        if (m_trials[number].wanted == Wanted::Waiting && kept-- <= 0) withdraw(static_cast<int>(number), orders);
}

void Judge::withdraw(int number, std::vector<Order>& orders) {
    at(number).wanted = Wanted::Stopped;
    ++m_withdrawn;
    const Event event{.kind = Event::Kind::Stopped, .trial = number};
    m_searcher->take(event);
    for (Order& order : m_scheduler->take(event)) orders.push_back(std::move(order));
}

void Judge::addConfigurations(int count, const spec::Params* given) {
    for (int i = 0; i < count * spec::seedsOfEach(m_spec); ++i) {
        const auto number = static_cast<int>(m_trials.size());
        m_trials.emplace_back();
        if (given != nullptr) m_trials.back().given = true, m_trials.back().params = *given;
        (void)m_scheduler->take({.kind = Event::Kind::Added, .trial = number, .enqueued = given != nullptr});
    }
}

// Where there is no number of trials, it is one of those that wait.
void Judge::enqueue(const Steering& asked, std::vector<Order>& orders) {
    const bool fromWaiting = m_openEnded;
    reopen(1, orders);
    const auto point = spec::pointOf(m_spec.space, asked.params).valueOr(asked.params);
    if (!fromWaiting) return addConfigurations(1, &point);
    const auto seeds = static_cast<std::size_t>(spec::seedsOfEach(m_spec));
    for (std::size_t first = 0; first + seeds <= m_trials.size(); first += seeds) {
        if (m_trials[first].wanted != Wanted::Waiting || m_trials[first].given) continue;
        for (std::size_t number = first; number < first + seeds; ++number) {
            m_trials[number].given = true;
            m_trials[number].params = point;
        }
        return;
    }
}

// A restriction takes the place of an earlier one of its axis. Points of a grid that lie outside are taken out.
void Judge::restrict(const spec::Restriction& restriction, std::vector<Order>& orders) {
    const auto whole = std::find_if(m_spec.space.begin(), m_spec.space.end(),
                                    [&](const spec::Axis& axis) { return axis.path == restriction.path; });
    if (whole == m_spec.space.end()) return;
    auto part = spec::restricted(*whole, restriction);
    if (!part) return;
    spec::Axis& axis = m_space[static_cast<std::size_t>(whole - m_spec.space.begin())];
    axis = std::move(*part);
    m_searcher->setSpace(m_space);
    m_scheduler->setSpace(m_space);
    if (!spec::isGrid(m_spec)) return;
    for (std::size_t number = 0; number < m_trials.size(); ++number) {
        const Trial& trial = m_trials[number];
        if (trial.wanted != Wanted::Waiting || trial.given) continue;
        const auto params = m_searcher->suggest(static_cast<int>(number)).params;
        const auto value = params.find(axis.path);
        if (value != params.end() && !spec::contains(axis, value->second)) withdraw(static_cast<int>(number), orders);
    }
}

void Judge::set(const Steering& asked, std::vector<Order>& orders) {
    if (asked.parallel) m_parallel = asked.parallel;
    if (!asked.trials) return;
    const auto begun =
        std::count_if(m_trials.begin(), m_trials.end(), [](const Trial& trial) { return trial.started; });
    reopen(std::max(0, *asked.trials - static_cast<int>(begun) / spec::seedsOfEach(m_spec)), orders);
    m_openEnded = false;
    int more = *asked.trials - configurations();
    if (more > 0) return addConfigurations(more);
    for (std::size_t number = m_trials.size(); number-- > 0 && planned() > *asked.trials * spec::seedsOfEach(m_spec);)
        if (m_trials[number].wanted == Wanted::Waiting) withdraw(static_cast<int>(number), orders);
}

} // namespace trainyard::sweep
