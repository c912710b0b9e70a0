// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/slots.h"

#include "engine/base/clock.h"
#include "engine/run/launch/slot_line.h"
#include "engine/run/launch/spawn.h"

#include <sys/wait.h>

#include <algorithm>
#include <thread>

namespace trainyard::sweep {
namespace {

constexpr double kLeaveSeconds = 2; // for slots without a trial to end

} // namespace

Slots::~Slots() {
    for (Slot& slot : m_slots) {
        slot.line.reset();
        if (slot.trial < 0) m_leaving.push_back(slot.process);
    }
    const double deadline = monotonicSeconds() + kLeaveSeconds;
    for (reap(); !m_leaving.empty() && monotonicSeconds() < deadline; reap())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Result<Slots::Slot> Slots::start() const {
    TY_ASSIGN(auto line, run::SlotLine::make());
    TY_ASSIGN(const auto process, run::spawnSlot(m_folder, line.slot.get()));
    return Slot{process, std::move(line.sweep), -1};
}

// One that has died since is noticed by takeEnded().
Result<void> Slots::give(int trial, const run::PreparedRun& run) {
    for (Slot& slot : m_slots) {
        if (slot.trial >= 0 || !run::sendOrder(slot.line.get(), run.folder.root, m_reuse, run.lock)) continue;
        slot.trial = trial;
        return {};
    }
    TY_ASSIGN(auto slot, start());
    m_slots.push_back(std::move(slot));
    TY_TRY(run::sendOrder(m_slots.back().line.get(), run.folder.root, m_reuse, run.lock));
    m_slots.back().trial = trial;
    return {};
}

bool Slots::has(int trial) const {
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const Slot& slot) { return slot.trial == trial; });
}

std::vector<Slots::Ended> Slots::takeEnded() {
    std::vector<Ended> ended;
    for (Slot& slot : m_slots) {
        auto word = run::receiveEnd(slot.line.get());
        if (word == run::SlotWord::Ended) {
            ended.push_back({std::exchange(slot.trial, -1), false});
            word = run::receiveEnd(slot.line.get()); // it may have died since
        }
        if (word != run::SlotWord::Gone) continue;
        if (slot.trial >= 0) ended.push_back({slot.trial, true});
        m_leaving.push_back(std::exchange(slot.process, 0));
    }
    std::erase_if(m_slots, [](const Slot& slot) { return slot.process == 0; });
    reap();
    return ended;
}

std::vector<int> Slots::fds() const {
    std::vector<int> list;
    for (const Slot& slot : m_slots) list.push_back(slot.line.get());
    return list;
}

void Slots::reap() {
    std::erase_if(m_leaving, [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
}

} // namespace trainyard::sweep
