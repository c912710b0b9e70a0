// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/follow_there.h"

#include "app/ctl/interrupt.h"
#include "engine/base/clock.h"

#include <poll.h>

#include <cstdio>
#include <optional>

namespace trainyard::ctl {
namespace {

// Of a host that was there a moment ago.
bool mayComeBack(ErrorCode code) { return code == ErrorCode::ConnectionLost || code == ErrorCode::HostUnreachable; }

// False when Ctrl+C was pressed.
bool waitFor(double seconds) {
    const int before = interrupts();
    const double until = monotonicSeconds() + seconds;
    for (double left = seconds; left > 0 && interrupts() == before; left = until - monotonicSeconds())
        ::poll(nullptr, 0, static_cast<int>(left * 1000) + 1);
    return interrupts() == before;
}

// Nothing: Ctrl+C was pressed.
Result<std::optional<remote::Head>> connectAgain(const Session& session, const std::string& host, Error lost) {
    for (int failures = 1;; ++failures) {
        const double pause = backoffSeconds(failures);
        std::fprintf(stderr,
                     "trainyardctl: %s; the run continues there; trying again in %.0f s (Ctrl+C: stop following)\n",
                     lost.text().c_str(), pause);
        if (!waitFor(pause)) return std::optional<remote::Head>();
        auto head = openHead(session, host);
        if (head) return std::optional(std::move(*head));
        if (!mayComeBack(head.error().code)) return head.error();
        lost = std::move(head).error();
    }
}

} // namespace

Result<int> followThere(const Session& session, remote::Head head, const std::vector<std::string>& words) {
    const std::string host = head.session().host().alias;
    std::optional<remote::Head> there(std::move(head));
    for (;;) {
        const auto code = passThrough(*there, words);
        if (code || session.json || code.error().code != ErrorCode::ConnectionLost) return code;
        there.reset();
        TY_ASSIGN(auto again, connectAgain(session, host, code.error()));
        if (!again) return exitCode(ErrorKind::Stopped);
        there = std::move(again);
    }
}

} // namespace trainyard::ctl
