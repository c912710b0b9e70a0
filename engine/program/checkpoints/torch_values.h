// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/file_content.h"
#include "engine/program/checkpoints/pickle_tree.h"

#include <functional>

namespace trainyard::program {

// Where the bytes of a storage lie in a file.
struct StoragePlace {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> offset{}; // nothing: they are packed
};
using FindStorage = std::function<std::optional<StoragePlace>(const std::string& key)>;

// Adds what the pickle of a .pt file tells: tensors, step, epoch, learning rates, numbers, and notes on what does not
// fit. Bounded: names of 200 bytes, values 64 deep, half a million tensors, two million values visited.
void readTorchValues(const PickleTree& pickle, const FindStorage& storage, FileContent& content);

// Bytes of a value of that type (dtypeNamed()); nothing for one that is not known.
std::optional<std::uint64_t> widthOfType(std::string_view dtype);

// Rule: what programs call their step and epoch.
// "global_step", "iteration", …; "epoch", "current_epoch".
bool isStepName(std::string_view name);
bool isEpochName(std::string_view name);

} // namespace trainyard::program
