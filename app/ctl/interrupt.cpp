// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/interrupt.h"

#include <atomic>
#include <csignal>

namespace trainyard::ctl {
namespace {

std::atomic<int> s_count{0};
static_assert(std::atomic<int>::is_always_lock_free); // it is changed in a signal handler

void onInterrupt(int) { s_count.fetch_add(1); }

} // namespace

void countInterrupts() {
    struct sigaction action{};
    action.sa_handler = onInterrupt; // without SA_RESTART, so that poll() wakes
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

int interrupts() { return s_count.load(); }

} // namespace trainyard::ctl
