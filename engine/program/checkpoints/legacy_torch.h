// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/placed_reader.h"
#include "engine/program/checkpoints/pickle_machine.h"
#include "engine/program/checkpoints/torch_values.h"

#include <map>

namespace trainyard::program {

// What a file of torch.save of before 1.6 says, which begins with three small pickles (a number to know it by, the
// version, the computer), the pickle of its values, and that of the names of storages, whose bytes follow.
struct LegacyTorch {
    ReadPickle pickle;                              // of the values
    std::map<std::string, StoragePlace> storages{}; // by name, each within the file
};

// Total, and bounded by the limits. Input, with the file: it is cut, damaged, or of a computer whose numbers have their
// bytes in another order. The errors of `file`. A problem of the pickle itself stands in `pickle`.
Result<LegacyTorch> readLegacyTorch(const PlacedReader& file, const PickleLimits& limits);

} // namespace trainyard::program
