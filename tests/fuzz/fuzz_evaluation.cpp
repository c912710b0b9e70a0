// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/evaluation.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto set = run::parseEvaluations(text, "evaluation.json");
    if (!set.ok()) {
        require(!set.error().message.empty() && !set.error().remedy.empty(), "an error says what and what to do");
        return 0;
    }
    const run::Evaluation& newest = set->newest;
    const auto classes = static_cast<std::int64_t>(newest.classes.size());
    for (const auto& row : newest.confusion) require(row.size() == newest.classes.size(), "the table is square");
    for (const auto& one : newest.examples)
        require(one.index >= 0 && one.truth < classes && one.predicted < classes, "an example names a class there is");
    const auto back = run::parseExamples(run::examplesToJson(newest.examples), "examples");
    require(back.ok() && back->size() == newest.examples.size(), "examples that were read come back");
    return 0;
}
