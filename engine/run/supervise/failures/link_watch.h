// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace trainyard::run {

// Rule: when a rank acts without its supervisor.
// What a rank does when it no longer hears from its supervisor: a dead man's switch. A value: times are monotonic
// seconds that are handed to it.
class LinkWatch {
public:
    enum class Action {
        GoOn,
        SaveTogether, // agree with the other ranks on a step, save there and end. Undone when the supervisor is back
        SaveAlone, // that takes too long, as a peer is gone or hangs: leave the group, save this rank's state and end
        End        // that takes too long as well: without saving
    };
    // `linkSeconds`: failure.linkSeconds.
    LinkWatch(double linkSeconds, double now) : m_linkSeconds(linkSeconds), m_heard(now) {}

    void setLinkSeconds(double seconds) { m_linkSeconds = seconds; }
    void heard(double now); // from the supervisor
    void cut(double now);   // the channel has ended: nothing can come over it any more
    // Somebody else asks the rank to save and end: a silent supervisor gets little more time.
    void askedToEnd() { m_askedToEnd = true; }

    // What is to be done now. `saving`: the rank validates or saves, which may take long. After SaveAlone it is never
    // again GoOn: the group has been left.
    Action next(double now, bool saving);
    // When a rank that is stopped or hangs from now on has to be ended from outside; after every End.
    double endedBy(double now) const;

private:
    double orphanedAt() const;

    double m_linkSeconds, m_heard;
    std::optional<double> m_cut;
    bool m_askedToEnd = false;
    Action m_stage = Action::GoOn;
    double m_since = 0; // of this stage
};

} // namespace trainyard::run
