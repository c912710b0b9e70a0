// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/choose_printed.h"

#include "engine/run/record/kept_in_row.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"

namespace trainyard::run {

Result<program::PrintedChoice> choosePrinted(const store::Workspace& workspace, const RunId& run,
                                             const std::string& name, program::PrintedChoice choice) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->run(run));
    const RunFolder folder{row.folder};
    TY_ASSIGN(auto spec, spec::readRunSpec(folder.runFile()));
    if (!spec.program) return inputError("is no program's, and prints no metrics", "run " + row.name);
    auto& patterns = spec.program->metrics.patterns;
    const auto names = program::namesOfPrinted(patterns);
    const auto before = names.taken.contains(name)     ? program::PrintedChoice::Taken
                        : names.dropped.contains(name) ? program::PrintedChoice::Dropped
                                                       : program::PrintedChoice::Automatic;
    patterns = program::withChoice(std::move(patterns), name, choice);
    TY_TRY(writeRunFile(folder, row, spec::toJson(spec)));
    if (store::RunLock::isHeld(row.folder)) return before; // its supervisor writes the row, at its end from the file
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_TRY(store->updateRun(row));
    return before;
}

} // namespace trainyard::run
