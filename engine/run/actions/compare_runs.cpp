// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/compare_runs.h"

#include "engine/run/record/series/system_series.h"
#include "engine/spec/values/flat_settings.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace trainyard::run {
namespace {

using Part = ComparedRow::Part;
// The values of each run by part and name; what a run does not have stays empty.
using Table = std::map<std::pair<Part, std::string>, std::vector<std::string>>;

std::string shortest(double value) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return std::isnan(value) ? std::string() : std::string(text, end);
}

double numberFrom(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

template <class Put>
void eachValue(const StoredRun& run, Put put) {
    const store::RunRow& row = run.row();
    put(Part::Result, "status", wire::toString(row.status));
    put(Part::Result, "epoch", shortest(row.epoch));
    put(Part::Result, "step", std::to_string(row.step));
    put(Part::Result, "time in s", shortest(row.trainSeconds));
    put(Part::Result, "samples/s", shortest(row.samplesPerSecond));
    put(Part::Result, "restarts", std::to_string(row.restarts));
    for (const auto& summary : run.summaries()) {
        if (isSystemSeries(summary.series)) continue;
        for (const Aspect aspect : {Aspect::Best, Aspect::Last})
            put(Part::Result, toText({summary.series, aspect}), shortest(valueOf(summary, aspect, run.score())));
    }
    put(Part::Setting, "workers", std::to_string(run.workers()));
    for (const auto& [path, value] : run.settings()) put(Part::Setting, path, value);
    put(Part::Setting, "tags", row.tags);
    for (const auto& [path, value] : spec::flatSettings(row.environmentJson)) put(Part::Environment, path, value);
}

} // namespace

Comparison compareRuns(const std::vector<StoredRun>& runs) {
    Comparison comparison;
    Table table;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        comparison.ids.push_back(runs[i].row().id);
        comparison.names.push_back(runs[i].row().name);
        eachValue(runs[i], [&](Part part, const std::string& name, const std::string& value) {
            auto& values = table[{part, name}];
            values.resize(runs.size());
            values[i] = value;
        });
    }
    for (auto& [key, values] : table) {
        ComparedRow row{key.first, key.second, std::move(values), {}, false};
        for (const std::string& value : row.values) {
            row.numbers.push_back(numberFrom(value));
            row.differs = row.differs || value != row.values.front();
        }
        comparison.rows.push_back(std::move(row));
    }
    return comparison;
}

std::string differenceText(const ComparedRow& row, std::size_t run, std::size_t baseline) {
    const double value = row.numbers[run], before = row.numbers[baseline];
    if (std::isnan(value) || std::isnan(before) || value == before || before == 0) return {};
    const double percent = (value - before) / std::abs(before) * 100;
    char text[32];
    if (std::abs(percent) >= 1e6) return {}; // not the same quantity any more, such as a loss that ran away
    std::snprintf(text, sizeof text, std::abs(percent) < 999.5 ? "%+.3g%%" : "%+.0f%%", percent);
    return text;
}

const char* toString(ComparedRow::Part part) {
    switch (part) {
    case Part::Result: return "results";
    case Part::Setting: return "settings";
    case Part::Environment: return "environment";
    }
    return "";
}

} // namespace trainyard::run
