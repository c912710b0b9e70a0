// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure_detector.h"

#include <map>
#include <set>

namespace trainyard::run {

// The notices about hosts that are silent while their ranks continue. A value: the caller passes times in monotonic
// seconds.
class HostLinks {
public:
    struct Word {
        bool isBack = false; // else it is away
        std::string text;
    };
    // News since the last call: each host once when it has been away for some seconds, once when it answers but refuses
    // the sign-in, and once when it is back.
    std::vector<Word> look(const Ranks& ranks, double now);

private:
    std::map<HostName, double> m_told; // host -> away since
    std::set<HostName> m_refusing;     // hosts of which that was told
};

} // namespace trainyard::run
