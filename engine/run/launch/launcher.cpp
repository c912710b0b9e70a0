// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/launcher.h"

#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace trainyard::run {

ExitStatus ExitStatus::ofWait(int status) {
    return WIFSIGNALED(status) ? ExitStatus{true, WTERMSIG(status)} : ExitStatus{false, WEXITSTATUS(status)};
}

std::string ExitStatus::text() const {
    if (hostLost) return "was lost with the connection to its host";
    if (!signalled && code < 0) return "ended, exit status unknown";
    if (!signalled) return "exited with " + std::to_string(code);
    if (code == 0) return "was killed by a signal";
    const char* name = ::sigabbrev_np(code);
    return "was killed by " + (name ? "SIG" + std::string(name) : "signal " + std::to_string(code));
}

} // namespace trainyard::run
