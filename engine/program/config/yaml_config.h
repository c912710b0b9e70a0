// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/config/config_tree.h"

namespace trainyard::program {

// Where the values of a YAML text stand: one document of mappings and lists, by indentation or in brackets. Anchors,
// aliases, tags and texts of several lines are passed over, and are nothing that can be set. Input, with the line:
// several documents, tabs before a key, keys that are no names, what is no YAML; deeper than 100, more than 10,000
// values.
Result<ConfigNode> readYamlConfig(ConfigText text);

} // namespace trainyard::program
