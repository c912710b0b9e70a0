// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_file.h"

#include "engine/base/text/quoted.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/record/place/saved_place.h"

#include <filesystem>

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
    if (row && !run::savedPlaceOf(row->path).host.empty()) {
        TY_ASSIGN(const auto run, runAt(*open.query, given));
        TY_ASSIGN(const auto here, run::savedHere(run.folder, row->path, run.name, row->step));
        row->path = here.string();
    }
    std::error_code ignored;
    if (row && !std::filesystem::exists(row->path, ignored)) {
        TY_ASSIGN(const auto run, runAt(*open.query, given));
        return inputError("there is no such file", row->path,
                          "bring the file back, or use another: trainyardctl checkpoints " + shellArgument(run.name))
            .withCode(ErrorCode::FileMissing);
    }
    return row;
}

} // namespace trainyard::ctl
