// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep without processes: its judge, and trials that are functions. Every order is checked as it is given.
#pragma once

#include "engine/base/math/hash_draw.h"
#include "engine/sweep/judge/judge.h"
#include "tests/unit/sweep/sweep_steering.h"

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace trainyard::test {

// {"version":1,"run":{"epochs":27},…} with this space, searcher and scheduler, checked.
inline Result<spec::SweepSpec> sweepOf(const std::string& space, const std::string& rest, int epochs = 27) {
    TY_ASSIGN(auto spec, spec::parseSweepSpec("{\"version\":1,\"run\":{\"epochs\":" + std::to_string(epochs) +
                                              "},\"scoreBy\":\"val/loss\",\"space\":" + space + "," + rest + "}"));
    return sweep::checkedSweep(std::move(spec));
}

struct SimulationOptions {
    int slots = 4;
    double max = 27;      // of every trial, which reports at 1, 2, …
    double failShare = 0; // of the reports, after which the trial fails instead
    std::uint64_t seed = 1;
    std::function<double(int trial, const spec::Params& params, double t)> loss;
    bool steered = false; // a user sends requests now and then
    // Of the second series; none: trials are compared by one.
    std::function<double(int trial, const spec::Params& params, double t)> second{};
};

class Simulation {
public:
    Simulation(sweep::Judge& judge, SimulationOptions options) : m_judge(judge), m_options(std::move(options)) {}

    // Called with each event and the orders it led to.
    std::function<void(const sweep::Event&, const std::vector<sweep::Order>&)> heard;

    // To the end of the sweep. Empty, or the first order that could not be, or a trial that was left over.
    std::string run() {
        while (m_problem.empty()) {
            if (m_turn % 8 == 0) tick();
            fillSlots();
            if (m_options.steered && m_turn % 5 == 0 && !m_running.empty()) steer();
            if (!m_adopting.empty() && (m_running.empty() || draw(79) < 0.5)) adopt();
            else if (!m_running.empty()) advance();
            else if (!resumes()) break;
        }
        for (std::size_t trial = 0; trial < m_judge.trials().size() && m_problem.empty(); ++trial) {
            const auto wanted = m_judge.trials()[trial].wanted;
            if (wanted != sweep::Wanted::Ended && wanted != sweep::Wanted::Stopped)
                m_problem = "trial " + std::to_string(trial) + " is left over";
        }
        return m_problem;
    }
    long reports() const { return m_reports; }
    double best() const { return m_best; } // of the losses at the ends
    double trained() const { return m_trained; }
    int ended() const { return m_ended; }
    int steered() const { return m_steered; } // requests that were made
    int adopted() const { return m_adopted; }

private:
    enum class State { New, Running, Paused, Adopting, Over };
    struct Trial {
        State state = State::New;
        double t = 0;
    };

    bool tell(const sweep::Event& event) {
        const auto orders = m_judge.take(event);
        if (heard) heard(event, orders);
        for (const auto& order : orders) obey(order);
        for (const auto& order : orders)
            if (order.kind == sweep::Order::Kind::End)
                end({.kind = sweep::Event::Kind::Ended, .trial = order.trial, .t = m_trials[order.trial].t, .loss = 1});
        return !orders.empty();
    }

    void obey(const sweep::Order& order) {
        using Kind = sweep::Order::Kind;
        auto& trial = m_trials[order.trial];
        const auto must = [&](bool holds, const char* what) {
            if (!holds && m_problem.empty()) m_problem = std::string(what) + " " + std::to_string(order.trial);
        };
        switch (order.kind) {
        case Kind::Start: must(trial.state == State::New, "started twice"); break;
        case Kind::Resume:
            must(trial.state == State::Paused || m_taken == order.trial, "resumed, and did not pause");
            break;
        case Kind::Pause: must(trial.state == State::Running, "made to pause, and did not run"); break;
        case Kind::Adopt:
            must(trial.state == State::Running || trial.state == State::Paused, "told to adopt, and was over");
            must(m_trials[order.donor].t >= order.t && order.donor != order.trial, "given no state to adopt");
            m_adopting.push_back(order);
            break;
        case Kind::Stop:
        case Kind::End:
            must((trial.state != State::New || m_ticks) && trial.state != State::Over, "stopped, and was over");
            std::erase_if(m_adopting, [&](const auto& adoption) { return adoption.trial == order.trial; });
            break;
        }
        must(!m_killed.contains(order.trial) || order.kind == Kind::Stop, "was killed, and is begun again");
        const bool runs = order.kind == Kind::Start || order.kind == Kind::Resume;
        if (runs) m_running.push_back(order.trial);
        else std::erase(m_running, order.trial);
        trial.state = runs                        ? State::Running
                      : order.kind == Kind::Pause ? State::Paused
                      : order.kind == Kind::Adopt ? State::Adopting
                                                  : State::Over;
    }

    // The state of the donor as it is now, which may have come further; sometimes there is none to be had.
    void adopt() {
        const auto order = m_adopting.front();
        m_adopting.pop_front();
        auto& trial = m_trials[order.trial];
        trial.state = State::Paused;
        if (draw(80) < m_options.failShare)
            return (void)tell({.kind = sweep::Event::Kind::Adopted, .trial = order.trial, .t = order.t});
        trial.t = std::min(m_trials[order.donor].t, m_options.max - 1);
        ++m_adopted;
        tell({.kind = sweep::Event::Kind::Adopted,
              .trial = order.trial,
              .t = trial.t,
              .params = order.params,
              .donor = order.donor});
    }

    // A turn takes a second. What is not begun by a deadline may be stopped by it.
    void tick() {
        m_ticks = true;
        tell({.kind = sweep::Event::Kind::Tick, .spent = {.seconds = static_cast<double>(m_turn)}});
        m_ticks = false;
    }

    double draw(std::uint64_t purpose) { return unitDraw(m_options.seed, Draw::Bracket, m_turn++, purpose); }

    void fillSlots() {
        while (static_cast<int>(m_running.size()) < m_options.slots && tell({.kind = sweep::Event::Kind::SlotFree})) {}
    }

    // One request of many kinds; those that cannot be are not made.
    void steer() {
        static const char* const requests[] = {"stop",
                                               "kill",
                                               "promote",
                                               "retry",
                                               "promote",
                                               "add 2",
                                               "pause",
                                               "resume",
                                               "enqueue optimizer.lr=0.03",
                                               "restrict optimizer.lr=0.001..0.2",
                                               "restrict optimizer.lr=0.0001..1",
                                               "set parallel=3",
                                               "set trials=40",
                                               "set trials=55"};
        const auto draw = [&](std::uint64_t count, std::size_t of) {
            return static_cast<std::size_t>(unitDraw(m_options.seed, Draw::Bracket, m_turn, count) * double(of));
        };
        auto asked = steeringOf(requests[draw(79, std::size(requests))]);
        if (sweep::isOfTrial(asked.verb)) asked.trial = static_cast<int>(draw(80, m_judge.trials().size()));
        if (!m_judge.check(asked)) return;
        ++m_steered;
        m_taken = asked.trial;
        if (asked.verb == sweep::Steering::Verb::Kill) m_killed.insert(asked.trial);
        tell({.kind = sweep::Event::Kind::Steered, .trial = asked.trial, .steering = asked});
        m_taken = -1;
    }

    // Resumes a paused sweep; false when it was not paused.
    bool resumes() {
        if (!m_judge.isPaused()) return false;
        tell({.kind = sweep::Event::Kind::Steered, .steering = steeringOf("resume")});
        return true;
    }

    // One of those that run comes one epoch further.
    void advance() {
        const double share = unitDraw(m_options.seed, Draw::Bracket, m_turn++, 77);
        const int number = m_running[static_cast<std::size_t>(share * static_cast<double>(m_running.size()))];
        auto& trial = m_trials[number];
        trial.t += 1;
        m_trained += 1;
        if (unitDraw(m_options.seed, Draw::Bracket, m_turn, 78) < m_options.failShare)
            return end({.kind = sweep::Event::Kind::Failed,
                        .trial = number,
                        .t = trial.t,
                        .failure = {.code = static_cast<ErrorCode>(m_turn % kErrorCodes)}}); // no two alike
        const auto& params = m_judge.trials()[static_cast<std::size_t>(number)].params;
        const double loss = m_options.loss(number, params, trial.t);
        const double second = m_options.second ? m_options.second(number, params, trial.t) : std::nan("");
        ++m_reports;
        if (trial.t >= m_judge.nextReport(number))
            tell({.kind = sweep::Event::Kind::Report, .trial = number, .t = trial.t, .loss = loss, .second = second});
        if (trial.t < m_options.max || trial.state != State::Running) return;
        if (loss < m_best) m_best = loss;
        ++m_ended;
        end({.kind = sweep::Event::Kind::Ended, .trial = number, .t = trial.t, .loss = loss, .second = second});
    }

    void end(const sweep::Event& event) {
        std::erase(m_running, event.trial);
        m_trials[event.trial].state = State::Over;
        tell(event);
    }

    sweep::Judge& m_judge;
    SimulationOptions m_options;
    std::map<int, Trial> m_trials;
    std::vector<int> m_running;
    std::string m_problem;
    std::uint64_t m_turn = 0;
    long m_reports = 0;
    double m_best = sweep::kNever, m_trained = 0;
    int m_ended = 0, m_steered = 0, m_adopted = 0;
    int m_taken = -1; // the trial that is asked for
    bool m_ticks = false;
    std::set<int> m_killed;
    std::deque<sweep::Order> m_adopting;
};

// Losses like those of trainings: they fall with t to a floor that follows from the trial's learning rate.
inline double trainingLoss(int trial, const spec::Params& params, double t) {
    const double rate = spec::Choice{{}, params}.number("optimizer.lr", 0.01), away = std::log10(rate) + 1.6;
    const double noise = unitDraw(5, Draw::Shift, static_cast<std::uint64_t>(trial), static_cast<std::uint64_t>(t));
    return 0.075 + 0.02 * away * away + 0.25 * std::exp(-0.3 * away) * std::pow(t, -0.9) + 0.003 * (noise - 0.5);
}

} // namespace trainyard::test
