// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/slots.h"

#include "engine/base/clock.h"
#include "engine/run/launch/pool/slot_line.h"
#include "engine/run/launch/spawn.h"

#include <sys/wait.h>

#include <algorithm>
#include <numeric>
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

Result<Slots::Slot> Slots::start(const SlotCount& count) const {
    std::vector<run::CudaDevices> taken;
    for (const Slot& slot : m_slots) taken.push_back(slot.devices);
    TY_ASSIGN(auto line, run::SlotLine::make());
    TY_ASSIGN(const auto process, run::spawnSlot(m_folder, line.slot.get()));
    return Slot{process, std::move(line.sweep), dealDevices(taken, {.ranks = count.ranks, .devices = count.devices})};
}

int Slots::busy() const {
    return static_cast<int>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.trial >= 0; }));
}

run::SlotTerms Slots::termsOf(const Slot& slot, const SlotCount& count, int place) const {
    return {.reuse = m_reuse, .sharing = count.sharing, .devices = slot.devices, .place = place};
}

// Those first whose devices the fewest trials have: there may be more slots than a person wants now.
std::vector<Slots::Slot*> Slots::idle() {
    std::vector<run::CudaDevices> taken;
    std::vector<Slot*> idle;
    for (Slot& slot : m_slots)
        if (slot.trial >= 0) taken.push_back(slot.devices);
        else idle.push_back(&slot);
    std::stable_sort(idle.begin(), idle.end(), [&](const Slot* a, const Slot* b) {
        return slotsOn(a->devices, taken) < slotsOn(b->devices, taken);
    });
    return idle;
}

// One that has died since is noticed by takeEnded().
Result<void> Slots::give(int trial, run::PreparedRun&& run, const SlotCount& count, int place) {
    if (busy() >= count.slots) return giveAhead(trial, std::move(run), count, place);
    const auto takes = [&](Slot& slot) -> Result<void> {
        TY_TRY(run::sendOrder(slot.line.get(), run.folder.root, termsOf(slot, count, place), run.lock));
        [[maybe_unused]] const auto given = std::move(run); // the lock is the slot's alone
        slot.trial = trial;
        slot.since = monotonicSeconds();
        return {};
    };
    for (Slot* slot : idle())
        if (takes(*slot)) return {};
    TY_ASSIGN(auto slot, start(count));
    m_slots.push_back(std::move(slot));
    return takes(m_slots.back());
}

Result<void> Slots::giveAhead(int trial, run::PreparedRun&& run, const SlotCount& count, int place) {
    TY_ASSIGN(auto ticket, run::SlotTicket::make());
    for (Slot& slot : m_slots) {
        if (slot.trial < 0 || slot.next) continue;
        if (!run::sendOrder(slot.line.get(), run.folder.root, termsOf(slot, count, place), run.lock, &ticket)) continue;
        slot.next.emplace(Next{trial, std::move(run), std::move(ticket)});
        return {};
    }
    return environmentError("no slot can take it ahead", run.folder.root.string());
}

bool Slots::has(int trial) const {
    return std::any_of(m_slots.begin(), m_slots.end(), [&](const Slot& slot) {
        return slot.trial == trial || (slot.next && slot.next->trial == trial);
    });
}

int Slots::trials() const {
    int count = busy();
    for (const Slot& slot : m_slots) count += slot.next ? 1 : 0;
    return count;
}

std::optional<run::PreparedRun> Slots::takeBack(int trial) {
    for (Slot& slot : m_slots) {
        if (!slot.next || slot.next->trial != trial || !slot.next->ticket.take()) continue;
        auto run = std::move(slot.next->run);
        slot.next.reset();
        return run;
    }
    return std::nullopt;
}

std::optional<Slots::Waiting> Slots::takeBackFor(int most) {
    if (busy() >= most) return std::nullopt;
    for (const Slot& slot : m_slots) {
        const int trial = slot.next ? slot.next->trial : -1;
        if (auto run = takeBack(trial)) return Waiting{trial, std::move(*run)};
    }
    return std::nullopt;
}

// What it had next is its trial now: it takes the ticket at once, or its death is seen.
void Slots::end(Slot& slot, bool lost, std::vector<Ended>& ended) const {
    const double now = monotonicSeconds();
    ended.push_back({slot.trial, lost, now - slot.since});
    slot.trial = slot.next ? slot.next->trial : -1;
    slot.since = now;
    slot.next.reset();
}

std::vector<Slots::Ended> Slots::takeEnded() {
    std::vector<Ended> ended;
    for (Slot& slot : m_slots) {
        auto word = run::receiveEnd(slot.line.get());
        while (word == run::SlotWord::Ended && slot.trial >= 0) {
            end(slot, false, ended);
            word = run::receiveEnd(slot.line.get()); // it may have ended the next one, or died, since
        }
        if (word != run::SlotWord::Gone) continue;
        const int next = slot.next ? slot.next->trial : -1;
        if (auto run = takeBack(next)) ended.push_back({.trial = next, .notBegun = std::move(run)});
        while (slot.trial >= 0) end(slot, true, ended);
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

int slotsOn(const run::CudaDevices& devices, const std::vector<run::CudaDevices>& slots) {
    int most = 0;
    for (const int device : devices) {
        const auto count = std::count_if(slots.begin(), slots.end(), [device](const run::CudaDevices& each) {
            return std::find(each.begin(), each.end(), device) != each.end();
        });
        most = std::max(most, static_cast<int>(count));
    }
    return most;
}

run::CudaDevices dealDevices(const std::vector<run::CudaDevices>& slots, run::RanksOnDevices here) {
    const auto [ranks, devices] = here;
    if (ranks <= 0 || devices < ranks) return {};
    run::CudaDevices all(static_cast<std::size_t>(devices));
    std::iota(all.begin(), all.end(), 0);
    std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return slotsOn({a}, slots) < slotsOn({b}, slots); });
    all.resize(static_cast<std::size_t>(ranks));
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace trainyard::sweep
