// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::spec {

// Rule: a run file as paths and values.
// The settings of a run file by the paths that overrides and sweeps use ("model.params.dropout", "model" for
// "model.name"), with their values as text ("0.1", "true", "[512, 512]"), in the order of the paths. Without the run's
// name and the file's version; of a text that is no JSON object, none.
std::vector<std::pair<std::string, std::string>> flatSettings(std::string_view runFile);

// Rule: which runs are one configuration over seeds.
// Whether a setting tells configurations apart (a path as of flatSettings). Runs in which all such settings are equal
// are one configuration, tried with several seeds: tables, charts and reports show them together.
inline bool isOfConfiguration(std::string_view path) { return path != "seed"; }

} // namespace trainyard::spec
