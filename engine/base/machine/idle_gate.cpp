// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/idle_gate.h"

#include "engine/base/machine/cores.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <thread>

namespace trainyard {
namespace {

void raiseEvent(const UniqueFd& event) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(event.get(), &one, sizeof one);
}

void drainEvent(const UniqueFd& event) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(event.get(), &count, sizeof count);
}

} // namespace

IdleGate::IdleGate() : m_idler(std::make_shared<Idler>()) {
    m_idler->question.reset(::eventfd(0, EFD_CLOEXEC));
    m_idler->reply.reset(::eventfd(0, EFD_CLOEXEC));
    if (!m_idler->question || !m_idler->reply) { // too many are open: the gate is, too
        m_idler.reset();
        return;
    }
    std::thread([idler = m_idler] { answer(idler); }).detach();
}

IdleGate::~IdleGate() {
    if (!m_idler) return;
    m_idler->ending = true;
    raiseEvent(m_idler->question);
}

void IdleGate::answer(const std::shared_ptr<Idler>& idler) {
    const sched_param priority{};
    (void)::pthread_setschedparam(::pthread_self(), SCHED_IDLE, &priority);
    useAllCores(); // the thread that made this one may have been moved to one core
    while (true) {
        drainEvent(idler->question);
        if (idler->ending) return;
        raiseEvent(idler->reply);
    }
}

void IdleGate::spread(std::size_t bytes, double seconds) {
    const double waits = std::max(1.0, static_cast<double>(bytes) / static_cast<double>(kPiece));
    m_longestWait = std::clamp(seconds / waits, 0.0, kLongestWait);
}

void IdleGate::pass(std::size_t bytes) {
    m_bytes += bytes;
    if (m_bytes < kPiece || !m_idler || m_hurry.load(std::memory_order_relaxed)) return;
    m_bytes = 0;
    ++m_waits;
    if (!m_asked) raiseEvent(m_idler->question); // else the answer to the last time is still to come
    m_asked = true;
    pollfd reply{m_idler->reply.get(), POLLIN, 0};
    const timespec longest{0, static_cast<long>(m_longestWait * 1e9)};
    if (::ppoll(&reply, 1, &longest, nullptr) <= 0) return;
    drainEvent(m_idler->reply);
    m_asked = false;
}

} // namespace trainyard
