// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/step_ledger.h"

#include <algorithm>

namespace trainyard::train {

StepLedger::Shares StepLedger::take(const Seconds& done, StepPart now, double elapsed) {
    if (elapsed <= 0) return {};
    const auto owed = [](double after, double before, double given) { return std::max(0.0, after - before - given); };
    Seconds seconds{owed(done.data, m_done.data, m_guess.data), owed(done.compute, m_done.compute, m_guess.compute),
                    owed(done.comm, m_done.comm, m_guess.comm)};
    const bool ended = done.data > m_done.data || done.compute > m_done.compute || done.comm > m_done.comm;
    if (ended) m_guess = {};
    m_done = done;

    const double known = seconds.data + seconds.compute + seconds.comm;
    double wait = 0;
    if (known > elapsed) { // the guess was another one
        const double factor = elapsed / known;
        seconds = {seconds.data * factor, seconds.compute * factor, seconds.comm * factor};
    } else {
        const double rest = elapsed - known;
        const auto guess = [rest](double& given, double& part) {
            given += rest;
            part += rest;
        };
        switch (now) {
        case StepPart::Data: guess(m_guess.data, seconds.data); break;
        case StepPart::Compute: guess(m_guess.compute, seconds.compute); break;
        case StepPart::Communication: guess(m_guess.comm, seconds.comm); break;
        case StepPart::Wait: wait = rest; break;
        case StepPart::None: break;
        }
    }
    return {seconds.data / elapsed, seconds.compute / elapsed, seconds.comm / elapsed, wait / elapsed};
}

} // namespace trainyard::train
