// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure_detector.h"

#include <map>
#include <set>

namespace trainyard::run {

// What is to be told of hosts that are not heard while their ranks go on. A value: times are monotonic seconds that are
// handed to it.
class HostLinks {
public:
    struct Word {
        bool isBack = false; // else it is away
        std::string text;
    };
    // News since the last look: each host once when it has been away for some seconds, once when it answers and lets
    // nobody in, and once when it is back.
    std::vector<Word> look(const Ranks& ranks, double now);

private:
    std::map<std::string, double> m_told; // host -> away since
    std::set<std::string> m_refusing;     // hosts of which that was told
};

} // namespace trainyard::run
