// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/prune_code.h"

#include "engine/run/record/run_code.h"

namespace trainyard::run {

Result<program::PrunedCode> pruneCode(const store::Workspace& workspace) {
    const auto store = codeStore(workspace);
    std::error_code ignored;
    if (!std::filesystem::exists(store.root(), ignored)) return program::PrunedCode{};
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    std::set<std::string> needed;
    const auto need = [&](const std::filesystem::path& file) {
        if (const auto code = codeOfFile(file)) needed.insert(code->digest);
    };
    TY_ASSIGN(const auto runs, query->runs(true));
    for (const auto& run : runs) need(RunFolder{run.folder}.launchFile());
    TY_ASSIGN(const auto sweeps, query->sweeps());
    for (const auto& sweep : sweeps) need(workspace.sweepFolder(sweep.id) / "launch.json");
    TY_ASSIGN(const auto queue, query->queue());
    std::set<std::string> waiting;
    for (const auto& entry : queue.rows) waiting.insert(queuedCodeName(entry));
    std::error_code failure;
    for (const auto& file : std::filesystem::directory_iterator(workspace.root / "queue", failure)) {
        const auto name = file.path().filename().string();
        if (!name.ends_with(".code.json")) continue;
        if (waiting.contains(name)) need(file.path());
        else std::filesystem::remove(file.path(), ignored);
    }
    return program::pruneCode(store, needed);
}

} // namespace trainyard::run
