// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

// Why a field of the run file can only have its default, and what to do instead.
struct FieldRefusal {
    std::string why, remedy;
};

// Rule: which fields mean something for a task and a model alone.
// Nothing: the field acts. Validation refuses another value than the default, and the window has no row for the field.
// `path`: of the run file; `model`: the entry of the catalog, null where it is not known, which refuses nothing.
std::optional<FieldRefusal> whyUnused(std::string_view path, const std::string& task, const Entry* model);

// The paths that whyUnused() knows.
const std::vector<std::string>& fieldsOfSomeRuns();

// Those of them that are set and would do nothing.
void checkFieldUse(const RunSpec& spec, const Entry* model, std::vector<FieldError>& errors);

} // namespace trainyard::spec
