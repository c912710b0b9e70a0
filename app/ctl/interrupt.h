// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ctl {

// Counts Ctrl+C and SIGTERM from now on instead of dying of them; waiting system calls return early.
void countInterrupts();
int interrupts();

} // namespace trainyard::ctl
