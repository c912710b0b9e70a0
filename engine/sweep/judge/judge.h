// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/search/searchers.h"
#include "engine/sweep/values/fresh_seeds.h"
#include "engine/sweep/values/packed_params.h"
#include "engine/sweep/values/sweep_limits.h"

#include <memory>
#include <utility>

namespace trainyard::sweep {

// The state that the sweep wants a trial to reach.
enum class Wanted {
    Waiting,
    Running,
    Paused,
    Ending,  // to save and to end: a rule or the end of the sweep wants it
    Stopped, // for good; so are those that were to end, once they have
    Ended,
    Adopting, // to stop, and to be given the state of another one
};

// A sweep's searcher and scheduler with their decisions, without a process or a clock. Replaying the recorded events
// into a new judge restores the same state.
class Judge {
public:
    struct Trial {
        Wanted wanted = Wanted::Waiting;
        PackedParams params{};     // once it was started
        int failures = 0;          // after which it was tried again
        int hostsLost = 0;         // with it, after which it was tried again on another host
        std::int64_t failedMs = 0; // the last one of these
        bool started = false;
        bool given = false;            // a person gave its parameters
        bool alone = false;            // a person has had it taken up again: scheduler and stop rules leave it alone
        bool killed = false;           // by a person
        bool failed = false;           // for good, at `lastFailedMs`
        std::int64_t lastFailedMs = 0; // 0: it has not
        std::unique_ptr<const Adoption> adoption{}; // that was ordered and has not come about
    };

    // For a checked sweep (checkedSweep); adds its trials.
    static Result<Judge> make(const spec::SweepSpec& spec);

    // The orders that follow; a Start has its parameters. Events of a trial that is over change nothing.
    std::vector<Order> take(const Event& event) { return advance(event, true); }
    // The same for an event from the record: its orders were carried out, or are visible in trials().
    void replay(const Event& event) { (void)advance(event, false); }
    // The events to record since the last call, in order.
    std::vector<Event> takeRecord() { return std::exchange(m_record, {}); }

    // Whether a person's request is possible. Input, with path, value and remedy: an unknown trial, one that is over,
    // a value outside the space, a restriction that leaves nothing. Only possible requests may be passed as
    // Event::steering.
    Result<void> check(const Steering& asked) const;
    bool isPaused() const { return m_paused; }                       // by a person: nothing new starts
    std::optional<int> parallel() const { return m_parallel; }       // as a person has set it
    const std::vector<spec::Axis>& space() const { return m_space; } // what people have left of it
    bool isOpenEnded() const { return m_openEnded; }                 // no number of trials is given
    int planned() const;                                             // trials without those that are taken out

    // Whether a trial can be ordered before it has a slot, with the same parameters as later.
    bool knowsNext() const { return !m_searcher->learns() && m_scheduler->startsInOrder(); }

    const std::vector<Trial>& trials() const { return m_trials; }
    const Trial& trial(int number) const { return at(number); }
    // Whether a trial that trains, or shall train, has lost a host.
    bool hasLostHost(int trial) const;
    // The first t at which a report of the trial is an event; kNever: never.
    double nextReport(int trial) const;
    std::vector<double> rungs() const { return m_scheduler->rungs(); }
    // Whether any report of the trial can be an event.
    bool watches(int trial) const;
    // Why the sweep ends early; nothing starts any more.
    const std::optional<SweepEnd>& end() const { return m_limits.end(); }
    const Spent& spent() const { return m_limits.spent(); } // by the last Tick that was recorded
    std::string state() const;                              // all that it knows, as JSON

private:
    Judge(std::unique_ptr<Searcher> searcher, std::unique_ptr<Scheduler> scheduler, const spec::SweepSpec& spec,
          const FreshSeeds::Counts& counts);
    Trial& at(int number) { return m_trials[static_cast<std::size_t>(number)]; }
    const Trial& at(int number) const { return m_trials[static_cast<std::size_t>(number)]; }
    std::vector<Order> advance(const Event& event, bool live);
    void tell(const Event& event, std::vector<Order>& orders);
    bool matters(const Event& event) const;
    bool isRemembered(const Event& report) const;
    bool isTriedAgain(const Event& event);
    void endTrial(const Event& event);
    void endAdoption(const Event& event);
    void obey(std::vector<Order>& orders, bool live);
    void endAll(std::vector<Order>& orders);
    void beginFresh(const Event& event, std::vector<Order>& orders);
    Suggestion suggestionFor(int trial) const;
    void begin(Order& order);
    void apply(const Order& order);
    // judge_steering.cpp
    Result<void> checkTrial(const Steering& asked) const;
    Result<void> checkSet(const Steering& asked) const;
    Result<void> checkNoFreshSeeds(const char* path, const std::string& found) const;
    Result<void> checkRoom(const char* path, int found, int count) const;
    Result<void> checkNumbers(const char* path, const std::string& found, int count) const;
    int configurations() const; // that are planned
    std::vector<Order> steer(const Event& event, bool live);
    void endByHand(const Steering& asked, std::vector<Order>& orders);
    void takeUp(const Steering& asked, std::vector<Order>& orders);
    void reopen(int keep, std::vector<Order>& orders);
    void withdraw(int number, std::vector<Order>& orders);
    void addConfigurations(int count, const spec::Params* given = nullptr);
    void enqueue(const Steering& asked, std::vector<Order>& orders);
    void restrict(const spec::Restriction& restriction, std::vector<Order>& orders);
    void set(const Steering& asked, std::vector<Order>& orders);

    std::unique_ptr<Searcher> m_searcher;
    std::unique_ptr<Scheduler> m_scheduler;
    spec::SweepRules m_rules;
    SweepLimits m_limits;
    bool m_openEnded = false, m_closed = false; // no number of trials is given; the end was seen to
    bool m_choosesHosts = false;                // of trials: what loses its host is tried again
    bool m_paused = false;
    std::optional<int> m_parallel;
    spec::SweepSpec m_spec;
    std::vector<spec::Axis> m_space;
    FreshSeeds m_fresh;
    std::vector<Trial> m_trials;
    int m_withdrawn = 0; // trials that are taken out before they were started
    std::vector<Event> m_record;
};

// The sweep with the defaults of its searcher and scheduler filled in. Input, with path, value and remedy: an
// impossible space, option or number of trials. Does not check the trials' own settings.
Result<spec::SweepSpec> checkedSweep(spec::SweepSpec spec);
// The training length of the sweep's run; `epochs` gives the unit.
struct RunLength {
    double max = 1;
    bool epochs = true;
};
Result<RunLength> lengthOf(const spec::SweepSpec& spec);

} // namespace trainyard::sweep
