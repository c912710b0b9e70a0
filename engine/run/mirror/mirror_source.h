// SPDX-License-Identifier: GPL-3.0-or-later
// On the host where runs live: sends news to a computer with a copy of them.
#pragma once

#include "engine/run/attach/run_follower.h"
#include "engine/run/mirror/mirror_line.h"

namespace trainyard::run {

// One thread.
class MirrorSource {
public:
    explicit MirrorSource(store::Workspace workspace) : m_workspace(std::move(workspace)) {}

    // From now on reports what the copy lacks of this run, or of this sweep and all its trials. Waits for those that
    // do not exist yet.
    void want(MirrorRequest request);
    // News since the last call, run by run, in short pieces. Environment: the store cannot be read.
    Result<std::vector<MirrorNews>> poll();

private:
    struct Told {
        MirrorRequest known;                      // of the copy, when it asked
        std::unique_ptr<RunFollower> follower;    // null: the run is not here yet
        std::map<std::string, std::int64_t> skip; // points that the copy has, and the follower has not delivered yet
        std::int64_t skipLines = 0;               // of its log
        double nextTry = 0, nextRow = 0;
        bool isKnown = false;                  // the copy has its row
        bool isTrial = false;                  // not followed any more once it has ended
        std::string row, workers, checkpoints; // as they were told last
        wire::RunState state{};
    };
    struct ToldSweep {
        std::int64_t lastEvent = -1;
        std::string row;                      // as it was told last
        std::map<int, std::string> decisions; // the same, by trial
    };
    Result<void> begin(Told& told, MirrorNews& news);
    Result<bool> isPrefix(const Told& told);
    Result<MirrorNews> newsOf(Told& told);
    Result<void> readRow(Told& told, bool now, MirrorNews& news);
    Result<void> readCheckpoints(Told& told, MirrorNews& news);
    Result<void> letGo(Told& told);
    Result<void> pollSweeps(std::vector<MirrorNews>& all);
    Result<SweepNews> newsOf(const std::string& sweep, ToldSweep& told);
    void wantTrial(const std::string& run);

    store::Workspace m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
    std::map<std::string, Told> m_runs;
    std::map<std::string, ToldSweep> m_sweeps;
    std::int64_t m_lastChange = -1; // of runs, as far as trials were looked for
    std::int64_t m_version = -1;
};

} // namespace trainyard::run
