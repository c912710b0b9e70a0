// SPDX-License-Identifier: GPL-3.0-or-later
// The program of a run's ranks as JSON, in the launch records of runs and of sweeps.
#pragma once

#include "engine/run/record/run_folder.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::run {

nlohmann::ordered_json programToJson(const RankProgram& program);
// The "program" of a launch record that lies in this file; nothing where it has none. Input when it names one without
// its path, arguments and environment.
Result<std::optional<RankProgram>> programOfRecord(const nlohmann::json& record, const std::filesystem::path& file);

} // namespace trainyard::run
