// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/shared_gates.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/torch/base/peer_lost.h"

#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <sched.h>

namespace trainyard::train {
namespace {

// How often a rank looks, at some 50 ns each, before it asks whether to sleep; hardly ever when ranks share cores.
constexpr int kLooks = 2'000, kLooksOfMany = 100;
constexpr long kSleepNanoseconds = 2'000'000; // then it looks for itself, at the abort flag too
constexpr long kBeforeHelp = 100'000;         // a rank later than this has no core
constexpr double kLongestLook = 0.01;         // seconds of one wait; what takes longer is no matter of time slices
constexpr double kLookForDead = 0.05;         // seconds between looks whether the other is alive

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void sleepOn(std::atomic<std::uint32_t>& word, std::uint32_t seen, long nanoseconds) {
    const timespec limit{0, nanoseconds};
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void wake(std::atomic<std::uint32_t>& word) {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint32_t valueOf(std::int64_t count, int note) {
    return static_cast<std::uint32_t>(count) * 4 + static_cast<std::uint32_t>(note);
}

// Gone, or a zombie that its parent has not yet collected.
bool isDead(std::int32_t pid) {
    if (pid == 0) return false; // has not said who it is
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(stat, line)) return true;
    const auto name = line.rfind(')');
    return name != std::string::npos && name + 2 < line.size() && (line[name + 2] == 'Z' || line[name + 2] == 'X');
}

} // namespace

SharedGates::SharedGates(std::shared_ptr<SharedSegment> segment, Options options)
    : m_segment(std::move(segment)), m_options(std::move(options)),
      m_sharesCores(static_cast<int>(m_options.numbers.size()) > availableCores()) {
    m_segment->cell(Gate::Entered, m_options.self).pid.store(static_cast<std::int32_t>(::getpid()));
}

void SharedGates::pass(Gate gate, std::int64_t count, int note) {
    Cell& cell = m_segment->cell(gate, m_options.self);
    cell.value.store(valueOf(count, note), std::memory_order_seq_cst);
    if (cell.waiters.load(std::memory_order_seq_cst) != 0) wake(cell.value);
    // Here, because a rank that the others always wait for never waits itself.
    if (ownEntry().isMoved.load(std::memory_order_relaxed) && keepsCore(monotonicSeconds())) takeBackCores();
}

void SharedGates::takeBackCores() {
    if (ownEntry().isMoved.exchange(false, std::memory_order_relaxed)) useAllCoresInEveryThread();
}

// Counts are compared by their distance, so that they may overflow.
bool SharedGates::reached(Gate gate, std::size_t rank, std::int64_t count) const {
    const auto value = m_segment->cell(gate, rank).value.load(std::memory_order_acquire);
    return static_cast<std::int32_t>(value - valueOf(count, 0)) >= 0;
}

bool SharedGates::allPassed(Gate gate, std::int64_t count) const {
    for (std::size_t rank = 0; rank < m_options.numbers.size(); ++rank)
        if (!reached(gate, rank, count)) return false;
    return true;
}

int SharedGates::note(Gate gate, std::size_t rank) const {
    return static_cast<int>(m_segment->cell(gate, rank).value.load(std::memory_order_acquire) & 3);
}

void SharedGates::waitForAll(Gate gate, std::int64_t count) {
    for (std::size_t rank = 0; rank < m_options.numbers.size(); ++rank)
        if (rank != m_options.self) wait(gate, rank, count);
}

void SharedGates::wait(Gate gate, std::size_t rank, std::int64_t count) {
    // Ranks that always find one another at once would never get to where they look at it while they sleep.
    if (gate == Gate::Entered || gate == Gate::Filled) failIfAborted(gate, rank, count);
    if (comesWithin(m_sharesCores ? kLooksOfMany : kLooks, gate, rank, count)) return;
    const double begin = monotonicSeconds();
    if (!keepsCore(begin)) return waitAsleep(gate, rank, count);
    measure(begin);
    if (m_policy.looksOn() && looksOn(begin, gate, rank, count)) return;
    waitLong(gate, rank, count);
}

// Whether the rank has come while this one kept its core for it.
bool SharedGates::looksOn(double begin, Gate gate, std::size_t rank, std::int64_t count) {
    bool came = false;
    double now = begin;
    for (; !came && now < begin + kLongestLook && keepsCore(now); now = monotonicSeconds())
        came = comesWithin(kLooksOfMany, gate, rank, count);
    if (came || now >= begin + kLongestLook) m_policy.lookedOn(came);
    return came;
}

// What this rank has lost to other programs, from time to time, for all ranks of the host to know.
void SharedGates::measure(double now) {
    takeBackCores();
    if (!m_policy.isDue(now)) return;
    m_policy.sawDelay(now, m_core.delay());
    ownEntry().sleepUntil.store(m_policy.sleepUntil(), std::memory_order_relaxed);
}

// Beside a program of the same priority. The rank that does not come is the one that shares a core with it; this one's
// core is free now. One of the waiting ranks swaps cores with it.
void SharedGates::waitAsleep(Gate gate, std::size_t rank, std::int64_t count) {
    m_policy.slept();
    Cell& cell = m_segment->cell(gate, rank);
    if (!m_sharesCores) {
        sleepOnce(cell, count, kBeforeHelp);
        if (reached(gate, rank, count)) return;
        Cell& other = m_segment->cell(Gate::Entered, rank);
        const pid_t process = other.pid.load();
        if (process != 0 && cell.helped.exchange(valueOf(count, 0)) != valueOf(count, 0) &&
            m_core.exchangeWith(process)) {
            other.isMoved.store(true, std::memory_order_relaxed);
            ownEntry().isMoved.store(true, std::memory_order_relaxed);
        }
    }
    waitLong(gate, rank, count);
}

// What any rank of this host has found holds for all of them.
bool SharedGates::keepsCore(double now) const {
    if (m_sharesCores) return false;
    for (std::size_t rank = 0; rank < m_options.numbers.size(); ++rank)
        if (now < m_segment->cell(Gate::Entered, rank).sleepUntil.load(std::memory_order_relaxed)) return false;
    return true;
}

bool SharedGates::comesWithin(int looks, Gate gate, std::size_t rank, std::int64_t count) const {
    for (int look = 0; look < looks; ++look) {
        if (reached(gate, rank, count)) return true;
        relax();
    }
    return false;
}

// Whether the rank has come; sleeps for so long where it has not, unless woken.
bool SharedGates::sleepOnce(Cell& cell, std::int64_t count, long nanoseconds) const {
    cell.waiters.fetch_add(1, std::memory_order_seq_cst);
    const auto seen = cell.value.load(std::memory_order_seq_cst);
    const bool there = static_cast<std::int32_t>(seen - valueOf(count, 0)) >= 0;
    if (!there) sleepOn(cell.value, seen, nanoseconds);
    cell.waiters.fetch_sub(1, std::memory_order_seq_cst);
    return there;
}

void SharedGates::waitLong(Gate gate, std::size_t rank, std::int64_t count) const {
    Cell& cell = m_segment->cell(gate, rank);
    const double begin = monotonicSeconds();
    double lookAgain = begin + kLookForDead;
    while (!sleepOnce(cell, count, kSleepNanoseconds)) {
        failIfAborted(gate, rank, count);
        const double now = monotonicSeconds();
        if (now >= lookAgain) {
            lookAgain = now + kLookForDead;
            const auto pid = m_segment->cell(Gate::Entered, rank).pid.load();
            if (isDead(pid) && !reached(gate, rank, count))
                failWait(gate, rank, count, "its process " + std::to_string(pid) + " has died");
        }
        if (now - begin > m_options.waitSeconds)
            failWait(gate, rank, count, "it has not come for " + std::to_string(static_cast<int>(now - begin)) + " s");
    }
}

void SharedGates::failIfAborted(Gate gate, std::size_t rank, std::int64_t count) const {
    if (m_options.abort && m_options.abort->raised()) failWait(gate, rank, count, "the group has lost a member");
}

void SharedGates::failWait(Gate gate, std::size_t rank, std::int64_t count, const std::string& why) const {
    static constexpr std::array kNames{"the end of backward",      "a bucket's gradients",  "its share of the sum",
                                       "the sum over the hosts",   "its share of the norm", "its share of the update",
                                       "its share of the averages"};
    if (m_options.what)
        throw PeerLost("rank " + std::to_string(m_options.numbers[rank]) + " has not come to " + m_options.what + ": " +
                       why);
    const bool ofBuckets = gate == Gate::Filled || gate == Gate::Summed;
    const auto step = m_options.firstStep + (ofBuckets ? (count - 1) / m_options.buckets + 1 : count);
    throw PeerLost("rank " + std::to_string(m_options.numbers[rank]) + " has not finished " +
                   kNames[static_cast<std::size_t>(gate)] + " of step " + std::to_string(step) + ": " + why);
}

} // namespace trainyard::train
