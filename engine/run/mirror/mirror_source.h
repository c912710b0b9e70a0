// SPDX-License-Identifier: GPL-3.0-or-later
// On the host where runs live: tells a computer that keeps a copy of them what is new.
#pragma once

#include "engine/run/attach/run_follower.h"
#include "engine/run/mirror/mirror_line.h"

namespace trainyard::run {

// One thread.
class MirrorSource {
public:
    explicit MirrorSource(store::Workspace workspace) : m_workspace(std::move(workspace)) {}

    // From now on tells of this run what the copy has not. A run that is not here is waited for.
    void want(MirrorRequest request);
    // What is new since the last call, run after run, in short pieces. Environment: the store cannot be read.
    Result<std::vector<MirrorNews>> poll();

private:
    struct Told {
        MirrorRequest known;                      // of the copy, when it asked
        std::unique_ptr<RunFollower> follower;    // null: the run is not here yet
        std::map<std::string, std::int64_t> skip; // points that the copy has, and the follower has not delivered yet
        std::int64_t skipLines = 0;               // of its log
        double nextTry = 0, nextRow = 0;
        bool isKnown = false;     // the copy has its row
        std::string row, workers; // as they were told last
        wire::RunState state{};
    };
    Result<void> begin(Told& told, MirrorNews& news);
    Result<bool> isPrefix(const Told& told);
    Result<MirrorNews> newsOf(Told& told);
    Result<void> readRow(Told& told, bool now, MirrorNews& news);

    store::Workspace m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
    std::map<std::string, Told> m_runs;
};

} // namespace trainyard::run
