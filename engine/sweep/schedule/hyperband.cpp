// SPDX-License-Identifier: GPL-3.0-or-later
// HyperBand (Li and others 2018, arXiv 1603.06560): brackets of successive halving, from many short trials to few long
// ones, over and over. With a searcher that learns and draws every third trial at random it is BOHB (Falkner and others
// 2018, arXiv 1807.01774).
#include "engine/base/json_text.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/schedule/sync_bracket.h"

#include <nlohmann/json.hpp>

#include <set>

namespace trainyard::sweep {
namespace {

class HyperBand final : public Scheduler {
public:
    HyperBand(double factor, bool smallFirst, const SchedulerFrame& frame)
        : m_factor(factor), m_paired(frame.paired), m_max(frame.max),
          m_largest(static_cast<int>(std::log(m_max) / std::log(factor) + 1e-9)), m_smallFirst(smallFirst) {}

    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Added: add(event.trial); return {};
        case Event::Kind::Started: return {};
        case Event::Kind::Report:
        case Event::Kind::Ended:
        case Event::Kind::Failed:
        case Event::Kind::Stopped: return tellBracket(event);
        case Event::Kind::SlotFree: return fill();
        default: return {};
        }
    }
    double nextReport(int trial) const override {
        const auto place = m_places.find(trial);
        return place == m_places.end() ? kNever : m_brackets[place->second].nextReport(trial);
    }
    std::vector<double> rungs() const override { return rungsOf(m_largest); }
    std::string state() const override {
        nlohmann::json brackets = nlohmann::json::array();
        for (const SyncBracket& bracket : m_brackets) brackets.push_back(bracket.state());
        return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}, {"brackets", brackets}, {"room", m_room}});
    }

private:
    // Bracket s is halved s times: its trials first train to max * factor^-s.
    std::vector<double> rungsOf(int s) const {
        std::vector<double> rungs;
        for (int k = s; k > 0; --k) rungs.push_back(m_max * std::pow(m_factor, -k));
        return rungs;
    }
    int sizeOf(int s) const {
        const double rounds = m_largest + 1;
        return static_cast<int>(std::ceil(rounds / (s + 1) * std::pow(m_factor, s) - 1e-9));
    }

    void add(int trial) {
        if (m_room == 0) {
            const int turn = static_cast<int>(m_brackets.size()) % (m_largest + 1);
            const int s = m_smallFirst ? turn : m_largest - turn;
            m_brackets.emplace_back("hyperband", rungsOf(s), SyncBracket::Options{m_factor, m_paired});
            m_room = sizeOf(s);
        }
        --m_room;
        m_brackets.back().add(trial);
        m_places[trial] = m_brackets.size() - 1;
    }

    std::vector<Order> tellBracket(const Event& event) {
        const std::size_t at = m_places.at(event.trial);
        SyncBracket& bracket = m_brackets[at];
        auto orders = event.kind == Event::Kind::Report ? bracket.report(event) : bracket.leave(event);
        if (bracket.anyReady()) m_ready.insert(at);
        else m_ready.erase(at);
        return orders;
    }

    // Brackets that were begun come before new trials.
    std::vector<Order> fill() {
        if (m_ready.empty()) return m_waiting.start();
        SyncBracket& bracket = m_brackets[*m_ready.begin()];
        auto orders = bracket.resume();
        if (!bracket.anyReady()) m_ready.erase(m_ready.begin());
        return orders;
    }

    double m_factor;
    bool m_paired;
    double m_max;
    int m_largest; // the number of the bracket with the most rungs
    bool m_smallFirst;
    std::vector<SyncBracket> m_brackets;
    std::set<std::size_t> m_ready;       // those with trials that may go on
    int m_room = 0;                      // in the last bracket
    std::map<int, std::size_t> m_places; // the bracket of a trial
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeHyperBand(const spec::Choice& options, const SchedulerFrame& frame) {
    const double factor = options.number("factor", 3);
    if (frame.max < factor)
        return inputError("is longer than the run, which ends at " + spec::toText(frame.max) + ", found " +
                              spec::toText(factor),
                          "scheduler.factor", "take a smaller factor, or a longer run");
    return std::unique_ptr<Scheduler>(
        std::make_unique<HyperBand>(factor, options.text("order", "large") == "small", frame));
}

} // namespace

SchedulerEntry hyperbandScheduler() {
    return {.info = {"hyperband",
                     Engine::tr("HyperBand"),
                     Engine::tr("Brackets of successive halving, from many short trials to few long ones."),
                     {factorInfo(),
                      {.name = "order",
                       .title = Engine::tr("Order"),
                       .type = spec::ParamType::Option,
                       .defaultValue = std::string("large"),
                       .options = {"large", "small"},
                       .help = Engine::tr(
                           "Starts with the bracket of the most trials (large) or of the fewest (small).")}}},
            .make = makeHyperBand,
            .randomEvery = 3};
}

} // namespace trainyard::sweep
