// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

namespace trainyard::spec {

// Checks a choice whose parameters stand beside its name ({"name": "asha", "factor": 3}) against what there is, and
// fills in the defaults. What is wrong is said of `path` and its fields.
std::vector<FieldError> checkChoice(const std::string& path, Choice& choice, const std::vector<Entry>& entries);

} // namespace trainyard::spec
