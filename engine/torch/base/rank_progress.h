// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/wire/messages.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace trainyard::train {

// What of a step a rank is busy with; None: nothing of a step, such as a validation.
enum class StepPart { None, Data, Compute, Communication, Wait };

// Where a rank is, written by the training thread and read by the one that sends heartbeats. Each member stands alone;
// a reader may see some newer than others.
struct Progress {
    std::atomic<std::int64_t> step{0}, totalSteps{0}, totalEpochs{0};
    std::atomic<double> epoch{0}, samplesPerSecond{0};
    std::atomic<double> dataShare{0}, computeShare{0}, commShare{0};
    std::atomic<double> forwardShare{0}, backwardShare{0}, optimizerShare{0}; // of compute

    // Seconds that went to the parts of all steps that are over.
    std::atomic<double> dataSeconds{0}, computeSeconds{0}, commSeconds{0};

    // What a hang report names: a literal marked with Engine::tr(), and the number of the thing when there are several
    // (-1: none).
    void setDoing(const char* what, int number = -1) { set(wire::Activity::Work, StepPart::None, what, number); }
    void setStep(StepPart part, const char* what) { set(wire::Activity::Work, part, what, -1); }
    void setCollective(const char* what, int number = -1) {
        set(wire::Activity::Collective, StepPart::Communication, what, number);
    }
    void setRendezvous() { set(wire::Activity::Rendezvous, StepPart::Wait, Engine::tr("rendezvous"), -1); }
    std::string doing() const {
        std::string text = m_doing.load(std::memory_order_relaxed);
        const int number = m_number.load(std::memory_order_relaxed);
        return number < 0 ? text : text + " " + std::to_string(number);
    }

    wire::Activity activity() const { return m_activity.load(std::memory_order_relaxed); }
    StepPart part() const { return m_part.load(std::memory_order_relaxed); }

private:
    void set(wire::Activity activity, StepPart part, const char* what, int number) {
        m_number.store(number, std::memory_order_relaxed);
        m_doing.store(what, std::memory_order_relaxed);
        m_activity.store(activity, std::memory_order_relaxed);
        m_part.store(part, std::memory_order_relaxed);
    }

    std::atomic<const char*> m_doing{Engine::tr("start")};
    std::atomic<int> m_number{-1};
    std::atomic<wire::Activity> m_activity{wire::Activity::Work};
    std::atomic<StepPart> m_part{StepPart::None};
};

} // namespace trainyard::train
