// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/config/config_tree.h"

namespace trainyard::program {

// Where the values of a JSON text stand. Input, with the line: it is none, is deeper than 100 or has more than 10,000
// values.
Result<ConfigNode> readJsonConfig(ConfigText text);

} // namespace trainyard::program
