// SPDX-License-Identifier: GPL-3.0-or-later
// The snapshots of programs' code in a workspace, as runs and sweeps name them.
#pragma once

#include "engine/program/code/code_store.h"
#include "engine/run/record/run_folder.h"
#include "engine/store/queue_rows.h"
#include "engine/store/workspace.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::run {

// Those of this workspace.
program::CodeStore codeStore(const store::Workspace& workspace);

// The "code" of a launch record of a run or sweep, or of a waiting entry; nothing where it has none or it is damaged.
std::optional<RunCode> codeOfRecord(const nlohmann::json& record);
std::optional<RunCode> codeOfFile(const std::filesystem::path& file);
nlohmann::ordered_json codeToJson(const RunCode& code);

// The file, in the folder of the queue, that names the snapshot of an entry.
std::string queuedCodeName(const store::QueueRow& entry);

} // namespace trainyard::run
