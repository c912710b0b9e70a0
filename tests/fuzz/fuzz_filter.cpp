// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/filter/stored_runs.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const run::Filter filter(text);
    if (const auto& problem = filter.problem()) {
        require(!problem->message.empty() && !problem->remedy.empty(), "a problem says what is wrong and what to do");
        require(problem->position <= size && problem->length <= size - problem->position, "it lies in the text");
    }
    store::RunRow row;
    row.name = "otter";
    row.tags = "resnet second";
    row.specJson = R"({"model": {"name": "mlp", "params": {"dropout": 0.1}}, "optimizer": {"lr": 0.1}})";
    store::SeriesSummary summary;
    summary.series = "val/accuracy";
    summary.count = 1;
    summary.max = 0.9;
    (void)filter.matches(run::StoredRun(row, {summary}));
    run::FilterNames names;
    names.add(row);
    names.series = {"val/accuracy"};
    if (const auto unknown = filter.unknownName(names))
        require(unknown->position < size && !unknown->message.empty(), "an unknown name lies in the text");
    const std::size_t cursor = size == 0 ? 0 : data[0] % (size + 1);
    require(run::completeFilter(text, cursor, names).from <= cursor, "a completion ends at the cursor");
    return 0;
}
