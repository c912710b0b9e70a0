// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/arguments/python_project.h"

namespace trainyard::program {

// The value of an expression, or code: literals, constants of the project, containers, arithmetic, and calls of int,
// float, str, list, tuple, set, sorted, range, len, Path, os.path.join and dict.keys() with such values. Bounded in
// size and in depth.
Value valueOf(PythonProject& project, const PythonFile& file, Span span);

} // namespace trainyard::program
