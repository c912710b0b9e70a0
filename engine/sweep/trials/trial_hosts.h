// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::sweep {

// Assigns trials to hosts. A lost host is avoided for a while, longer after each loss in a row, and then tried again;
// it is trusted once a trial trains there. A host on which three trials in a row fail at once gets no more, unless it
// is the last one. A value: times are given, and only compared.
class TrialHosts {
public:
    // How a trial leaves its host.
    enum class Leaves {
        Well,         // or it failed after it had trained
        FailedAtOnce, // before its first step
        Lost          // its host was lost, too
    };

    explicit TrialHosts(const std::vector<std::string>& hosts);

    bool areChosen() const { return !m_hosts.empty(); } // else every trial uses the hosts of the run file
    // Whether a host has room if `slots` trials may run side by side, shared evenly by the hosts. `claimed`: places on
    // trusted hosts reserved for trials that lost theirs; a new trial needs one beyond those.
    bool haveRoom(int slots, double now, int claimed = 0) const;
    // Puts the trial on the host with the fewest trials, the first of equals, until it leaves. Call it only if there
    // is room.
    std::string assign(int trial, int slots, double now);
    // Records a trial that an earlier supervisor put on a host, at `place`; -1: the lowest free one. Does nothing for
    // an unknown host.
    void occupy(int trial, const std::string& host, int place = -1);
    bool has(int trial) const { return placeOf(trial) >= 0; } // it is on a host
    std::string hostOf(int trial) const;                      // empty: it is on none
    // The trial's place on its host: the lowest number that no other trial there has; -1: it is on none.
    int placeOf(int trial) const;
    // True: from now on its host gets no more. Does nothing for a trial on no host.
    bool leave(int trial, Leaves how, double now);
    // Whether the trial is on a lost host on which none has trained since.
    bool isTrying(int trial) const;
    void trains(int trial); // which makes its host a trusted one

private:
    struct Host {
        std::string name;
        std::map<int, int> trials{}; // their places, from 0
        void add(int trial, int wanted = -1);
        double avoidedUntil = 0, pause = 0; // seconds
        bool trusted = true;
        std::set<int> trying{}; // trials that came while it was not trusted
        int failed = 0;         // trials in a row, at once
        bool closed = false;    // gets no more
    };
    bool noteFailure(Host& host);
    static int freeOf(const Host& host, std::size_t share, double now);
    std::size_t shareOf(int slots) const;
    const Host* best(int slots, double now) const;

    std::vector<Host> m_hosts;
};

} // namespace trainyard::sweep
