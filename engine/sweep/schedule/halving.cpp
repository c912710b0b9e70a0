// SPDX-License-Identifier: GPL-3.0-or-later
// Successive halving of all trials together (Jamieson and Talwalkar 2016, arXiv 1502.07943).
#include "engine/base/json_text.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/schedule/sync_bracket.h"

#include <nlohmann/json.hpp>

namespace trainyard::sweep {
namespace {

class Halving final : public Scheduler {
public:
    Halving(std::vector<double> rungs, SyncBracket::Options options)
        : m_rungs(rungs), m_bracket("halving", std::move(rungs), options) {}

    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        switch (event.kind) {
        case Event::Kind::Added: m_bracket.add(event.trial); return {};
        case Event::Kind::Started: return {};
        case Event::Kind::Report: return m_bracket.report(event);
        case Event::Kind::Ended:
        case Event::Kind::Failed:
        case Event::Kind::Stopped: return m_bracket.leave(event);
        case Event::Kind::Tick: return m_bracket.tick(event.spent.seconds);
        case Event::Kind::SlotFree: break;
        default: return {};
        }
        auto orders = m_bracket.resume();
        return orders.empty() ? m_waiting.start() : orders;
    }
    double nextReport(int trial) const override { return m_bracket.nextReport(trial); }
    double nextTick() const override { return m_bracket.nextTick(); }
    std::vector<double> rungs() const override { return m_rungs; }
    std::string state() const override {
        return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}, {"bracket", m_bracket.state()}});
    }

private:
    std::vector<double> m_rungs;
    SyncBracket m_bracket;
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeHalving(const spec::Choice& options, const SchedulerFrame& frame) {
    TY_TRY(checkGrace(options, frame));
    if (frame.openEnded)
        return inputError("is required: halving waits for all trials at a rung", "trials", "set trials, or use asha");
    const double factor = options.number("factor", 3);
    return std::unique_ptr<Scheduler>(
        std::make_unique<Halving>(rungsFrom(options.number("grace", 1), factor, frame.max),
                                  SyncBracket::Options{factor, frame.paired, options.number("deadlineSeconds", 0)}));
}

} // namespace

SchedulerEntry halvingScheduler() {
    return {.info = {"halving",
                     Engine::tr("Successive halving"),
                     Engine::tr("Trials wait for one another at each rung; the best continue, the others stop."),
                     {graceInfo(),
                      factorInfo(),
                      {.name = "deadlineSeconds",
                       .title = Engine::tr("Deadline"),
                       .defaultValue = 0.0,
                       .min = 0.0,
                       .unit = Engine::tr("s"),
                       .help = Engine::tr(
                           "How long a rung waits for the others once half have arrived; 0: until all have.")}}},
            .make = makeHalving};
}

} // namespace trainyard::sweep
