// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// What the name of a file or folder says of a checkpoint.
struct CheckpointName {
    std::optional<std::int64_t> step{};   // "step=1000", "iter_0001000", "global_step500", "checkpoint-500"
    std::optional<std::int64_t> epoch{};  // "epoch=3", "epoch_12"
    std::optional<std::int64_t> number{}; // of a file, without a word: "model_0004999", "checkpoint0010"
    bool operator==(const CheckpointName&) const = default;
};

// Rule: which names are those of checkpoints.
// A file by its ending, but for parts of a checkpoint that are none by themselves (optimizer.pt, a shard, what is still
// being written). Nothing: it is not one.
std::optional<CheckpointName> checkpointFileName(std::string_view name);
// A folder of files that are a checkpoint together: "checkpoint-500", "global_step500", "iter_0001000", "step_500",
// "epoch=3-step=1000.ckpt".
std::optional<CheckpointName> checkpointFolderName(std::string_view name);
// One that the user's patterns name, with * and ?: file or folder, by its name or by the end of its path.
std::optional<CheckpointName> namedByPattern(std::string_view path, const std::vector<std::string>& patterns);

// Whether a text is what a pattern with * and ? stands for: * for any letters but "/". Linear in their product.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace trainyard::program
