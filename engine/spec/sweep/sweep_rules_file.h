// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a sweep file as JSON. Only for engine/spec.
#pragma once

#include "engine/spec/run/object_reader.h"
#include "engine/spec/sweep/sweep_rules.h"

namespace trainyard::spec {

// Reads and checks the keys of a sweep file that are its rules. `isProgram`: its trials run a program.
void readRules(ObjectReader& reader, Errors& errors, bool isProgram, SweepRules& rules);
// Adds them, all of them, to a sweep file.
void writeRules(const SweepRules& rules, Json& sweep);

} // namespace trainyard::spec
