// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

#include <functional>

namespace trainyard::run {

// Rule: after how long without a supervisor an active run counts as dead, in seconds.
inline constexpr double kDeadSeconds = 2;

// Follows one run: first the stored points, then its supervisor's live stream, without a missing or doubled point.
// Falls back to the store when the supervisor is gone, and attaches again when a new one appears. Use from one thread;
// poll() blocks at most for the time given.
class RunFollower {
public:
    struct Update { // what changed since the last poll
        std::optional<wire::RunState> state;
        std::vector<wire::SeriesPoints> points; // firstIndex is contiguous per series
        std::optional<std::int64_t> rewoundTo;  // apply before points: drop points after this step
        bool checkpointsChanged = false;
        std::vector<wire::LogLine> log;
        // All events of the run, if they changed since the last poll; up to 0.2 s late, as they come from the store.
        std::optional<std::vector<store::RunEventRow>> events;
        bool ended = false; // the run is in a final state and everything was delivered
        bool empty() const {
            return !state && points.empty() && !rewoundTo && !checkpointsChanged && log.empty() && !events && !ended;
        }
    };
    // Copy: the record of a run that lives on another host. It has no supervisor here, and is not marked as
    // interrupted for that.
    enum class Record { Own, Copy };
    static Result<std::unique_ptr<RunFollower>> open(const store::Workspace& workspace, const std::string& run,
                                                     Record record = Record::Own);
    virtual ~RunFollower() = default;
    virtual Result<Update> poll(int timeoutMs) = 0;
    // Readable when poll() would return something at once; -1 without a supervisor.
    virtual int fd() const = 0;
    virtual Result<void> stop(wire::StopMode mode) = 0;
};

} // namespace trainyard::run
