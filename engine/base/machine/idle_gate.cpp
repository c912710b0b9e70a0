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
#include <system_error>
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

std::shared_ptr<IdleGate::Idler> IdleGate::makeIdler() {
    auto idler = std::make_shared<Idler>();
    idler->question.reset(::eventfd(0, EFD_CLOEXEC));
    idler->reply.reset(::eventfd(0, EFD_CLOEXEC));
    if (!idler->question || !idler->reply) return nullptr;
    try {
        std::thread([idler] { answer(idler); }).detach();
    } catch (const std::system_error&) { return nullptr; }
    return idler;
}

void IdleGate::rest() {
    m_bytes = 0;
    m_asked = false;
    if (!m_idler) return;
    m_idler->ending = true;
    raiseEvent(m_idler->question);
    m_idler.reset();
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
    if (m_bytes < kPiece || m_hurry.load(std::memory_order_relaxed)) return;
    m_bytes = 0;
    if (!m_idler) m_idler = makeIdler();
    if (!m_idler) return; // the gate is open
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
