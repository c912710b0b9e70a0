// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/name_of.h"
#include "engine/wire/messages.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// Requests of users that the ranks have not carried out yet, and those that also apply to the ranks after a restart: a
// pause and a learning rate. A value; for Resize see GroupSize.
class PendingCommands {
public:
    enum class Verdict { Pass, Done, Refuse }; // to the ranks; nothing is to be done; refused
    struct Reply {
        Verdict verdict = Verdict::Pass;
        std::string why; // it is refused
    };
    // A Command that is passed on is kept until rank 0 answers it.
    Reply ask(const wire::Command& command);
    // Commands to repeat to rank 0 of new ranks, or of another group: also those carried out after `fromStep`, where
    // they begin.
    std::vector<wire::Command> toRepeat(std::int64_t fromStep) const;

    // Rank 0's answer: done, or not. The checkpoint that it took is being written: see finishSave().
    void finish(const wire::CommandDone& done);
    // Answers to checkpoints are held back until the file is recorded, or could not be written; these give what can be
    // answered now. `recorded`: a checkpoint of that step is in the list already.
    std::vector<wire::CommandDone> finishSave(const wire::CommandDone& done, bool recorded);
    // Checkpoints before this step are saved, and the one of this step, unless `saved` says why it is not.
    std::vector<wire::CommandDone> settleSaves(std::int64_t step, const Result<void>& saved);

    // Tells the requester once that the host of rank 0 is silent. The request is carried out when it is back.
    std::vector<wire::CommandDone> whileAway(const HostName& host, std::int64_t step);

    // A user waits for the checkpoint of this step, which is taken.
    bool isSaving(std::int64_t step) const;

    bool isPaused() const { return m_paused; }

private:
    struct FailedSave {
        std::int64_t step = 0;
        Error error;
    };
    std::vector<wire::Command> m_open;
    std::vector<wire::CommandDone> m_saving;         // the ranks have taken the checkpoint, and it is being written
    std::set<std::string> m_toldAway;                // ids of those that whileAway() has answered
    std::optional<FailedSave> m_notSaved;            // the newest
    std::optional<wire::CommandDone> m_learningRate; // the newest learning rate, and from which step
    bool m_paused = false;
};

} // namespace trainyard::run
