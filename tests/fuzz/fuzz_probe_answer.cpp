// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as the answer of a probe, which goes together with what was read.
#include "engine/program/probe/probe_answer.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard::program;

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto answer = readProbeAnswer({reinterpret_cast<const char*>(data), size}, "train.py");
    if (!answer) {
        require(!answer.error().message.empty() && !answer.error().remedy.empty(), "a fault is explained");
        return 0;
    }
    require(answer->found.arguments.size() <= size, "an argument takes bytes");
    ScriptArguments read = answer->found; // as if the source said the same, and one thing more
    read.arguments.push_back({.name = "more", .flags = {"--more"}});
    const auto all = withProbe(read, *answer);
    require(all.arguments.size() <= 2 * answer->found.arguments.size() + 1, "nothing is made up");
    for (const auto& each : all.arguments) {
        require(!each.name.empty(), "an argument has a name");
        if (each.byDefault) (void)pythonText(*each.byDefault);
        for (const auto& choice : each.choices) (void)plainText(choice);
    }
    return 0;
}
