// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_finder.h"
#include "engine/program/checkpoints/completeness.h"

#include <filesystem>

namespace trainyard::program {

// What a look at a checkpoint's bytes says.
struct StructureLook {
    Structure structure = Structure::Unknown;
    std::string problem{}; // of one that is cut: what is missing, with its file
    // From trainer_state.json, or from what the file itself says.
    std::optional<std::int64_t> step{};
    std::optional<double> epoch{};
};

// Reads directories and headers, and of a .pt file the pickle if it has at most 16 MiB; never a tensor, and no code is
// run. A file that vanishes meanwhile is cut.
StructureLook lookAtFile(const std::filesystem::path& file);
// Of a folder: each of its files; the shards that an index names; the marks that are written last by programs that have
// such (trainer_state.json, .metadata of PyTorch, `latest` and latest_checkpointed_iteration.txt beside it).
StructureLook lookAtCheckpoint(const FoundCheckpoint& checkpoint);
// The same for one that is known by its path alone: a file or a folder.
StructureLook lookAtCheckpoint(const std::filesystem::path& path);

} // namespace trainyard::program
