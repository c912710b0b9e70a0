// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/schedule/schedulers.h"

#include "engine/base/json_text.h"
#include "engine/sweep/schedule/scheduler.h"

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

const std::vector<SchedulerEntry>& schedulers() {
#define TRAINYARD_MAKE(entry) entry(),
    static const std::vector<SchedulerEntry> entries = {TRAINYARD_SCHEDULERS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return entries;
}

bool adopts(const std::string& scheduler) {
    for (const auto& entry : schedulers())
        if (entry.info.name == scheduler) return entry.adopts;
    return false;
}

spec::ParamInfo graceInfo() {
    return {.name = "grace",
            .title = Engine::tr("Grace"),
            .defaultValue = 1.0,
            .min = 0.0,
            .minExclusive = true,
            .help =
                Engine::tr("How long a trial trains before it can be stopped, in epochs or steps as the run counts.")};
}

spec::ParamInfo factorInfo() {
    return {.name = "factor",
            .title = Engine::tr("Factor"),
            .defaultValue = 3.0,
            .min = 1.0,
            .max = 1000.0,
            .minExclusive = true,
            .help =
                Engine::tr("Reduction factor: 1 in this many trials continues; each rung is this many times longer.")};
}

std::vector<double> rungsFrom(double start, double factor, double max) {
    std::vector<double> rungs;
    for (double t = start; t < max * (1 - 1e-9) && rungs.size() < 64; t *= factor) rungs.push_back(t);
    return rungs;
}

Result<void> checkGrace(const spec::Choice& options, const SchedulerFrame& frame) {
    const double grace = options.number("grace", 1);
    if (grace < frame.max) return {};
    return inputError("is as long as the run, which ends at " + spec::toText(frame.max) + ", found " +
                          spec::toText(grace),
                      "scheduler.grace", "take less than that");
}

SchedulerEntry fifoScheduler() {
    return {.info = {"fifo", Engine::tr("No early stop"), Engine::tr("Every trial trains to its end.")},
            .make = makeFifo};
}

} // namespace trainyard::sweep
