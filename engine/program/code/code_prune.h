// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/code/code_store.h"

#include <set>
#include <string>

namespace trainyard::program {

// What pruning a store has done.
struct PrunedCode {
    int deleted = 0;        // snapshots
    std::int64_t bytes = 0; // of their files
    int kept = 0;           // that nobody needs, but in which a program has left files
};

// Rule: which snapshots of code may go.
// Those that are not needed and have not been for ten minutes, as a run that is just being made may need one; not if a
// program has left anything else there than what Python has compiled. Best effort.
PrunedCode pruneCode(const CodeStore& store, const std::set<std::string>& needed);

} // namespace trainyard::program
