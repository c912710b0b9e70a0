// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch records of runs and of sweeps have in common, as JSON: the program of the ranks, and the files that
// are elsewhere than the run file says.
#pragma once

#include "engine/base/json_text.h"
#include "engine/run/record/run_folder.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::run {

Json programToJson(const RankProgram& program);
// The "program" of a launch record that lies in this file; nothing where it has none. Input when it names one without
// its path, arguments and environment.
Result<std::optional<RankProgram>> programOfRecord(const nlohmann::json& record, const std::filesystem::path& file);
// The "files" of a launch record (LaunchRecord::files). Input when they are no paths by field.
Result<std::map<std::string, std::string>> filesOfRecord(const nlohmann::json& record,
                                                         const std::filesystem::path& file);
// The "devices" of a launch record (LaunchRecord::devices). Input when they are no lists of numbers by host.
Result<std::map<std::string, std::vector<int>>> devicesOfRecord(const nlohmann::json& record,
                                                                const std::filesystem::path& file);

} // namespace trainyard::run
