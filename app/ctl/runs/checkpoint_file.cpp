// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/runs/checkpoint_file.h"

#include "app/ctl/run_file.h"
#include "engine/program/checkpoints/checkpoint_name.h"
#include "engine/run/record/place/saved_place.h"

namespace trainyard::ctl {
namespace {

// Also "optimizer.pt", which is a part of a checkpoint.
bool hasEnding(const std::string& given) {
    if (given.ends_with(".bin")) return true;
    const auto dot = given.rfind('.');
    return dot != given.npos && dot > 0 && program::checkpointFileName("x" + given.substr(dot)).has_value();
}

} // namespace

Result<std::filesystem::path> checkpointFileOf(const Session& session, const std::string& given) {
    std::error_code ignored;
    const bool named = hasEnding(given);
    if (named && std::filesystem::exists(given, ignored)) return std::filesystem::path(given);
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    const auto row = open.query->checkpoint(given);
    if (row) {
        TY_ASSIGN(const auto run, runAt(*open.query, given));
        return run::savedHere(run.folder, row->path, run.name, row->step);
    }
    if (!named) return row.error();
    return inputError("there is no such file", given, "check the path").withCode(ErrorCode::FileMissing);
}

} // namespace trainyard::ctl
