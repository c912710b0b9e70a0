// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/schedule/waiting_trials.h"

#include <nlohmann/json.hpp>

namespace trainyard::sweep {
namespace {

// Every trial trains to its end, in the order in which they were added.
class Fifo final : public Scheduler {
public:
    std::vector<Order> take(const Event& event) override {
        m_waiting.take(event);
        if (event.kind == Event::Kind::SlotFree) return m_waiting.start();
        return {};
    }
    bool startsInOrder() const override { return true; }
    double nextReport(int) const override { return kNever; }
    std::string state() const override { return jsonText(nlohmann::json{{"waiting", m_waiting.trials()}}); }

private:
    WaitingTrials m_waiting;
};

Result<std::unique_ptr<Scheduler>> makeFifo(const spec::Choice&, const SchedulerFrame&) {
    return std::unique_ptr<Scheduler>(std::make_unique<Fifo>());
}

} // namespace

SchedulerEntry fifoScheduler() {
    return {.info = {"fifo", Engine::tr("FIFO"), Engine::tr("Every trial trains to its end.")}, .make = makeFifo};
}

} // namespace trainyard::sweep
