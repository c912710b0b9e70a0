// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/compare_runs.h"

#include "engine/run/record/series/source_series.h"
#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace trainyard::run {
namespace {

using Part = ComparedRow::Part;
// The place of a row within its part.
enum class Place { Score, Validation, Test, Training, Measure, Series, Fact };
struct RowKey {
    Part part;
    Place place;
    std::string name;
    auto operator<=>(const RowKey&) const = default;
};
// The values of each run; what a run does not have stays empty.
using Table = std::map<RowKey, std::vector<std::string>>;

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

// A series of how long the parts of a step take.
bool isTiming(std::string_view series) { return series.starts_with("time/"); }

Place placeOf(const std::string& series, const Score& score) {
    if (series == score.series) return Place::Score;
    if (!spec::betterByName(series)) return Place::Series;
    if (series.starts_with("val/")) return Place::Validation;
    if (series.starts_with("test/")) return Place::Test;
    return series.starts_with("train/") ? Place::Training : Place::Measure;
}

template <class Put>
void eachValue(const StoredRun& run, const Score& first, Put put) {
    const store::RunRow& row = run.row();
    const auto fact = [&](Part part, const char* name, const std::string& value) {
        put(RowKey{part, Place::Fact, name}, value);
    };
    fact(Part::Result, "status", wire::toString(row.status));
    fact(Part::Result, "epoch", shortest(row.epoch));
    fact(Part::Result, "step", std::to_string(row.step));
    fact(Part::Result, "restarts", std::to_string(row.restarts));
    fact(Part::Timing, "time in s", shortest(row.trainSeconds));
    fact(Part::Timing, "samples/s", shortest(row.samplesPerSecond));
    for (const auto& summary : run.summaries()) {
        if (!tellsOfTraining(summary.series)) continue;
        const Part part = isTiming(summary.series) ? Part::Timing : Part::Result;
        for (const Aspect aspect : {Aspect::Best, Aspect::Last})
            put(RowKey{part, placeOf(summary.series, first), toText({summary.series, aspect})},
                shortest(valueOf(summary, aspect, run.score())));
    }
    fact(Part::Setting, "workers", std::to_string(run.workers()));
    for (const auto& [path, value] : run.settings()) fact(Part::Setting, path.c_str(), value);
    fact(Part::Setting, "tags", row.tags);
    for (const auto& [path, value] : spec::flatSettings(row.environmentJson))
        fact(Part::Environment, path.c_str(), value);
}

// Which values of a row are better: of the first run's score as it says, else as the name of the series says.
std::optional<spec::Better> betterOf(const RowKey& key, const Score& score) {
    if (key.place == Place::Score) return score.better;
    if (key.place >= Place::Series) return std::nullopt;
    return spec::betterByName(seriesAspect(key.name).series);
}

} // namespace

Comparison compareRuns(const std::vector<StoredRun>& runs) {
    Comparison comparison;
    Table table;
    const Score score = runs.empty() ? Score{} : runs.front().score();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        comparison.ids.push_back(runs[i].row().id);
        comparison.names.push_back(runs[i].row().name);
        eachValue(runs[i], score, [&](const RowKey& key, const std::string& value) {
            auto& values = table[key];
            values.resize(runs.size());
            values[i] = value;
        });
    }
    for (auto& [key, values] : table) {
        ComparedRow row{key.part, key.name, std::move(values), {}, false, {}, betterOf(key, score)};
        for (const std::string& value : row.values) {
            row.numbers.push_back(numberFrom(value));
            row.differs = row.differs || value != row.values.front();
        }
        comparison.rows.push_back(std::move(row));
    }
    return comparison;
}

// What would read as 0.00 % is no difference.
static bool areAlike(double value, double before) {
    return value == before || std::abs(value - before) < 5e-5 * std::abs(before);
}

std::string differenceText(const ComparedRow& row, std::size_t run, std::size_t baseline) {
    if (row.part == Part::Setting || row.part == Part::Environment) return {};
    const double value = row.numbers[run], before = row.numbers[baseline];
    if (std::isnan(value) || std::isnan(before) || before == 0 || areAlike(value, before)) return {};
    const double percent = (value - before) / std::abs(before) * 100;
    char text[32];
    if (std::abs(percent) >= 1e6) return {}; // not the same quantity any more, such as a loss that ran away
    const int decimals = std::abs(percent) < 9.995 ? 2 : std::abs(percent) < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof text, "%+.*f%%", decimals, percent);
    return text;
}

Verdict verdictOf(const ComparedRow& row, std::size_t run, std::size_t baseline) {
    const double value = row.numbers[run], before = row.numbers[baseline];
    if (!row.better || std::isnan(value) || std::isnan(before) || areAlike(value, before)) return Verdict::Neither;
    const auto isWithin = [&](double spread) { return std::abs(value - before) <= spread; };
    if (!row.spreads.empty() && (isWithin(row.spreads[run]) || isWithin(row.spreads[baseline])))
        return Verdict::Neither;
    if (spec::isBetter(*row.better, value, before)) return Verdict::Better;
    return spec::isBetter(*row.better, before, value) ? Verdict::Worse : Verdict::Neither;
}

bool isBestOf(const ComparedRow& row, std::size_t run) {
    if (!row.better || !row.differs || !std::isfinite(row.numbers[run])) return false;
    return std::none_of(row.numbers.begin(), row.numbers.end(),
                        [&](double other) { return spec::isBetter(*row.better, other, row.numbers[run]); });
}

const char* toString(ComparedRow::Part part) {
    switch (part) {
    case Part::Result: return "results";
    case Part::Setting: return "settings";
    case Part::Timing: return "timings";
    case Part::Environment: return "environment";
    }
    return "";
}

} // namespace trainyard::run
