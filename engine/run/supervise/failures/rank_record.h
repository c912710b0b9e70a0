// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/wire/messages.h"

#include <optional>
#include <string>

namespace trainyard::run {

// "rank 1 on this computer"; an empty host is this computer.
std::string rankName(int rank, const HostName& host);

// What a supervisor knows of one rank: a value without a process, so that decisions can be tested without one. Times
// are monotonic seconds, -1: never.
struct RankRecord {
    struct Placement {
        int rank = 0, localRank = 0, localWorldSize = 1;
        HostName host; // empty: this computer
    };

    int rank() const { return placement.rank; }
    std::string name() const { return rankName(placement.rank, placement.host); }
    // It lives and holds a state that others can take over.
    bool canContinue() const { return rejoins && trained && !exit && !failureNoted && !closed; }
    // It trains, in a group that can be made larger or smaller without losing a step.
    bool isSettled() const { return canContinue() && phase == wire::Phase::Train && !finished && awaySince < 0; }
    // Whether its host is heard: `since`, nothing: it is (WorkerProcess::awaySince); else why it cannot be reached.
    // What it said late counts from now.
    void noteLink(std::optional<double> since, double now, std::optional<Error> failure = {}) {
        if (awaySince >= 0 && !since && !exit) { // else it was given up
            lastSign = now;
            if (advancedAt >= 0) advancedAt = now;
        }
        awaySince = since.value_or(-1);
        awayError = since ? std::move(failure) : std::nullopt;
    }

    Placement placement;
    double advancedAt = -1; // when a heartbeat last reported a new step or activity
    double slowSince = -1;  // it computes much longer than the others
    bool slowNoted = false;
    double launchedAt = 0, lastSign = 0;
    bool started = false; // Start was sent
    bool greeted = false; // Hello was received
    bool failureNoted = false;
    bool trained = false;      // it has taken a step, so it holds a state that the others can go on from
    bool rejoins = false;      // it takes a Regroup
    int threads = 0;           // that it computes with; 0: not known yet
    bool joining = false;      // launched into a group that trains already
    bool atRendezvous = false; // it has used the rendezvous store for the newest group
    double lostPeerAt = -1;    // when it reported that its group has lost another rank, and waits for the next group
    double awaySince = -1;     // its host is not heard, and the rank may train on there
    std::optional<Error> awayError;
    bool closed = false; // its channel has ended
    bool free = false;   // its run is over, and it can be handed another one
    wire::Phase phase = wire::Phase::Start;
    wire::WorkerState state;
    std::optional<wire::Finished> finished;
    std::optional<ExitStatus> exit;
};

} // namespace trainyard::run
