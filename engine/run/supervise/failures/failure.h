// SPDX-License-Identifier: GPL-3.0-or-later
// Why a group of ranks cannot go on.
#pragma once

#include "engine/run/supervise/failures/rank_record.h"

namespace trainyard::run {

enum class FailureCode {
    NotBegun,      // the run could not be prepared
    NotLaunched,   // a process could not be started
    NoWay,         // two of its hosts do not reach each other
    Exited,        // the process ended early, or closed its channel
    OutOfMemory,   // the same, for lack of memory: it said so, or the kernel ended a process for it
    Silent,        // no sign of life for too long
    Absent,        // not in the collective, or at the rendezvous, where others wait for it
    Stuck,         // lives, and does one thing for too long
    LinkBroken,    // nothing comes through between ranks that all live
    BadFrames,     // broke the frame protocol
    OtherProtocol, // is of another version
    Reported,      // said itself that it failed
    NotSaved,      // its last checkpoint is missing
    ResultsDiffer, // the trained parameters are not those of rank 0
};

// What can be done where a host stays away.
extern const char* const kWaysOut;

// The process of the rank is gone, or has to go: no better cause will come.
bool endsProcess(FailureCode code);
// The rank itself cannot go on; else all ranks of the group may keep their state.
bool blamesRank(FailureCode code);

// What failed, at which rank and step, and the error that says so.
struct Cause {
    FailureCode code = FailureCode::NotBegun;
    int rank = -1; // -1: of no rank
    HostName host; // of the rank
    std::int64_t step = 0;
    std::string what; // "was killed by SIGKILL", "failed: ...": for the notice
    Error error;

    std::string name() const { return rank < 0 ? std::string() : rankName(rank, host); }
    bool canRetry() const; // the same once more may end otherwise
    // The process ended by an error of its own: not by a signal, for lack of memory, or because a peer or host was
    // lost.
    bool endedItself() const;
    // Whether it is the same failure again: a rank failed by itself, for the same reason at the same step.
    bool isSameAs(const Cause& before) const;
};

// `byKernel`: the kernel has just ended a process for lack of memory. `newestStep`: of the newest point. The ranks keep
// step, so the newest sign of any of them says where this one was.
Cause exitCause(const RankRecord& rank, std::int64_t newestStep, const std::string& lastLine, bool byKernel);
Cause frameCause(const RankRecord& rank, const std::string& what, Error error);
Cause protocolCause(const RankRecord& rank, int protocol);
// A rank of another version than those before it.
Cause versionCause(const RankRecord& rank, const std::string& version, const std::string& others);
Cause reportedCause(const RankRecord& rank, const wire::Failed& failed);

// The same with rank, host and step in front of the place that the worker itself named.
Cause located(Cause cause);

} // namespace trainyard::run
