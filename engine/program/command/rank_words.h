// SPDX-License-Identifier: GPL-3.0-or-later
// The whole command line of a rank.
#pragma once

#include "engine/base/result.h"
#include "engine/program/arguments/argument.h"
#include "engine/spec/run/program_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// What the placeholders of a program stand for: {rank}, {localRank}, {worldSize}, {output}, {checkpoint}, {seed},
// {run}, {trial}, {port}.
struct Placeholders {
    int rank = 0, localRank = 0, worldSize = 1;
    std::string output{}, checkpoint{}; // checkpoint: empty where there is none to go on from
    std::string run{}, trial{};         // ids or names; trial: empty outside a sweep
    std::int64_t seed = 0;
    int port = 0;
};

// The text with its placeholders replaced, once; other words in braces stay, as JSON has them.
std::string filled(std::string_view text, const Placeholders& placeholders);
// Whether the text has this placeholder: "checkpoint".
bool holdsPlaceholder(std::string_view text, std::string_view name);

// What a rank is told besides what the run file says.
struct RankExtras {
    bool passSeed = false; // to an argument `seed`, where the script has one and the run file gives it no value
};

// Rule: the command line of a rank.
// `interpreter` and the script or module with its arguments, or the command; then, where there is a checkpoint, the
// words of `resume`. Without one an argument that holds {checkpoint} is left out. A script that takes local_rank gets
// it where there are several ranks, as torch.distributed.launch does. `known` is nullptr where the script's arguments
// cannot be read. The errors of argumentWords().
Result<std::vector<std::string>> rankWords(const spec::Program& program, const std::string& interpreter,
                                           const ScriptArguments* known, const Placeholders& placeholders,
                                           RankExtras extras = {});

} // namespace trainyard::program
