// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::sweep {

// Which host a trial runs on. A host that was lost is avoided for a while, longer after each loss in succession, and
// then tried again: it is trusted from when a trial trains there. A value: times are given, and only compared.
class TrialHosts {
public:
    explicit TrialHosts(const std::vector<std::string>& hosts);

    bool areChosen() const { return !m_hosts.empty(); } // else every trial uses the hosts of the run file
    // Whether a host has room when `slots` trials may run side by side, which the hosts share evenly. `claimed`: places
    // on trusted hosts that belong to trials which have lost theirs; this one then needs one more.
    bool haveRoom(int slots, double now, int claimed = 0) const;
    // The host with the fewest trials, the first of equals; the trial is on it until it leaves. Call it if there is
    // room.
    std::string assign(int trial, int slots, double now);
    // A trial that an earlier supervisor has put on a host is there, at that place; -1: the lowest that is free.
    // Nothing happens where the host is none of these.
    void occupy(int trial, const std::string& host, int place = -1);
    bool has(int trial) const { return placeOf(trial) >= 0; } // it is on a host
    std::string hostOf(int trial) const;                      // empty: it is on none
    // The place of a trial among those of its host: the lowest that no other one has; -1: it is on none.
    int placeOf(int trial) const;
    // Nothing happens for a trial that is on no host. `lost`: together with its host.
    void leave(int trial, bool lost, double now);
    // Whether the trial is on a host that was lost, and none has trained there since.
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
    };
    static int freeOf(const Host& host, std::size_t share, double now);
    std::size_t shareOf(int slots) const;
    const Host* best(int slots, double now) const;

    std::vector<Host> m_hosts;
};

} // namespace trainyard::sweep
