// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// Where a trainer reports events and gets stop requests from: a rank's channel. No function may block for long: the
// training step waits for it. notify() is called by the thread that writes checkpoints too.
class RunReport {
public:
    virtual ~RunReport() = default;
    virtual void enter(wire::Phase phase, const std::string& detail) = 0;
    virtual void point(const std::string& series, const wire::Point& point) = 0; // rank 0 only
    // The points given so far belong together and may leave at once.
    virtual void sendPoints() {}
    // How many of the points given so far are in the store; the others, which may be lost with the supervisor.
    virtual std::uint64_t pointsStored() = 0;
    virtual std::map<std::string, std::vector<wire::Point>> unstoredPoints() { return {}; }
    virtual void
    notify(wire::Message message) = 0; // CheckpointSaved, CheckpointSkipped, Evaluation, Notice, RolledBack
    virtual std::optional<wire::StopMode> stopRequested() = 0;
    // The supervisor is gone or silent for too long: where all ranks find that, they save and end.
    virtual bool orphaned() { return false; }
    // How steps of this kind are computed in all runs of the workspace; where nothing is known, `choice` is from now
    // on, unless it is empty. Returns what is known then; empty: nothing.
    virtual std::string keepKernelChoice(const std::string& key, const std::string& choice) {
        (void)key;
        return choice;
    }
    // What a user asks for while the run trains; of rank 0 only. Each is answered by notify(CommandDone).
    virtual bool commandWaits() { return false; }
    virtual std::vector<wire::Command> takeCommands() { return {}; }
};

} // namespace trainyard::train
