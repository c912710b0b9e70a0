// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/program/checkpoints/pickle_tree.h"

#include <optional>

namespace trainyard::program {

// How far a pickle is read. The defaults take at most 200 MB of memory and a tenth of a second.
struct PickleLimits {
    std::size_t bytes = 64u << 20;
    std::size_t values = 4'000'000; // and places at which they stand
};

// What a pickle says, as far as it could be read: what it names before it breaks would have been called.
struct ReadPickle {
    PickleTree tree;
    std::size_t bytes = 0;          // that it takes, of those that were given
    std::optional<Error> problem{}; // Input, with the byte
};

// Reads a pickle of protocol 0 to 5. Nothing is imported, called or built (pickle_tree.h). Total, and bounded in memory
// and time by the limits. `where` is what an error names: the file.
ReadPickle readPickle(std::string pickle, const std::string& where, const PickleLimits& limits = {});

} // namespace trainyard::program
