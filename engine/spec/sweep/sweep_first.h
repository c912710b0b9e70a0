// SPDX-License-Identifier: GPL-3.0-or-later
// "first" and "warmStart" of a sweep file as JSON. Only for engine/spec.
#pragma once

#include "engine/spec/run/object_reader.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::spec {

// Reads and checks both keys of a sweep whose space was read.
void readFirst(ObjectReader& reader, Errors& errors, SweepSpec& spec);
// Adds those that are given to a sweep file.
void writeFirst(const SweepSpec& spec, Json& sweep);

} // namespace trainyard::spec
