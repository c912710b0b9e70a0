// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::spec {

// Rule: which runs are one configuration over seeds.
// Whether a setting tells configurations apart (a path as of flatSettings). Runs in which all such settings are equal
// are one configuration, tried with several seeds: tables, charts and reports show them together.
inline bool isOfConfiguration(std::string_view path) { return path != "seed"; }

} // namespace trainyard::spec
