// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/dead_mans_switch.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"
#include "engine/spec/run/run_spec.h"

#include <cmath>
#include <csignal>

namespace trainyard::train {

DeadMansSwitch::DeadMansSwitch() : m_watch(spec::Failure{}.linkSeconds, monotonicSeconds()) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    timer_t timer{};
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) m_timer = timer; // else the watch alone has to do
}

DeadMansSwitch::~DeadMansSwitch() {
    if (m_timer) ::timer_delete(*m_timer);
}

void DeadMansSwitch::setLinkSeconds(double seconds) {
    const MutexLock lock(m_mutex);
    m_watch.setLinkSeconds(seconds);
}

void DeadMansSwitch::heard() {
    const MutexLock lock(m_mutex);
    m_watch.heard(monotonicSeconds());
}

void DeadMansSwitch::cut() {
    const MutexLock lock(m_mutex);
    const double now = monotonicSeconds();
    m_watch.cut(now);
    m_action = m_watch.next(now, false);
}

void DeadMansSwitch::askedToEnd() {
    const MutexLock lock(m_mutex);
    m_watch.askedToEnd();
}

DeadMansSwitch::Action DeadMansSwitch::look(bool saving) {
    const MutexLock lock(m_mutex);
    const double now = monotonicSeconds();
    const Action action = m_watch.next(now, saving);
    m_action = action;
    setTimer(m_watch.endedBy(now) - now);
    return action;
}

void DeadMansSwitch::setTimer(double seconds) {
    if (!m_timer) return;
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(std::ceil(seconds));
    ::timer_settime(*m_timer, 0, &when, nullptr);
}

} // namespace trainyard::train
