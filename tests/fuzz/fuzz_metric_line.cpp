// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as a metrics file, in lines and in pieces.
#include "engine/program/metrics/line_splitter.h"
#include "engine/program/metrics/metric_line.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard::program;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    MetricLines lines("m.jsonl");
    LineSplitter splitter(1'000);
    std::int64_t read = 0, all = 0;
    const auto told = [&](const GrownLine& line) {
        ++all;
        require(line.text.size() <= 1'000, "a line is bounded");
        const auto metric = lines.read(line.text);
        if (!metric) return;
        ++read;
        require(!metric->step || *metric->step >= 0, "a step is from 0 on");
        require(metric->values.size() <= kMostMetricNames, "the values of a line are bounded");
        require(metric->ignored > 0 || metric->firstIgnored.empty(), "what was left out is counted");
    };
    for (std::size_t at = 0; at < size; at += 7) splitter.add(bytes.substr(at, 7), told);
    splitter.end(told);
    require(read + lines.badLines() <= all, "each line is one");
    if (const auto fault = lines.takeFault())
        require(!fault->message.empty() && !fault->where.empty() && !fault->remedy.empty(), "a fault is explained");
    require(!lines.takeFault(), "a fault is said once");
    return 0;
}
