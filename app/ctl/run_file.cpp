// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_file.h"

#include "engine/run/mirror/mirror_copy.h"

namespace trainyard::ctl {

Result<store::RunRow> runAt(store::RunQuery& query, const std::string& given) {
    auto named = query.run(given);
    return named ? std::move(named) : query.run(given.substr(0, given.rfind('@')));
}

Result<store::RunRow> runOf(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    auto row = runAt(*open.query, given);
    if (!row)
        if (const auto fetched = run::fetchedCheckpoint(open.workspace, given)) return fetched->run;
    return row;
}

Result<store::CheckpointRow> findCheckpoint(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    auto row = open.query->checkpoint(given);
    if (!row)
        if (const auto fetched = run::fetchedCheckpoint(open.workspace, given)) return fetched->checkpoint;
    return row;
}

} // namespace trainyard::ctl
