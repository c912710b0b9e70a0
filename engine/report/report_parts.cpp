// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_parts.h"

#include "engine/base/clock.h"
#include "engine/base/text/amounts.h"
#include "engine/chart/reduce.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/share/import_runs.h"
#include "engine/spec/run/known_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard::report {
namespace {

constexpr std::size_t kMostPoints = 300; // of a curve: each stands for its neighbours

} // namespace

std::string numberText(double value) {
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    if (size < 1e15 && (size >= 999.95 || value == std::floor(value))) return grouped(std::llround(value));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

std::string chartTitleOf(const std::string& series) {
    const std::string unit = spec::seriesUnit(series);
    return unit.empty() ? series : series + ", " + unit;
}

std::string dateText(std::int64_t wallMs) {
    if (wallMs <= 0) return "–";
    std::string text = isoTime(wallMs); // 2026-11-20T10:45:12Z
    text.replace(text.find('T'), 1, " ");
    text.pop_back();
    return text + " UTC";
}

std::string notDrawnText(std::size_t series) {
    return std::to_string(series) + (series == 1 ? " more series is not drawn." : " more series are not drawn.");
}

Tone toneOf(wire::RunStatus status) {
    switch (status) {
    case wire::RunStatus::Finished: return Tone::Good;
    case wire::RunStatus::Failed: return Tone::Bad;
    case wire::RunStatus::Stopped:
    case wire::RunStatus::Interrupted: return Tone::Warning;
    default: return Tone::Plain;
    }
}

Cell plain(std::string text) { return {.text = std::move(text)}; }
Cell strong(std::string text) { return {.weight = Cell::Weight::Strong, .text = std::move(text)}; }
Cell muted(std::string text) { return {.weight = Cell::Weight::Muted, .text = std::move(text)}; }

bool hasEpochsAsAxis(const store::RunRow& run, const std::vector<store::SeriesSummary>& summaries) {
    const double epochs = run.epoch + 1; // some count them from 0
    return !run::importSource(run) || std::all_of(summaries.begin(), summaries.end(), [epochs](const auto& each) {
        return !run::tellsOfTraining(each.series) || static_cast<double>(each.count) <= epochs;
    });
}

Result<Curve> curveOf(store::RunQuery& query, const RunId& run, const std::string& series, bool extremes,
                      bool overEpochs) {
    TY_ASSIGN(const auto stored, query.points(run, series));
    Curve curve;
    curve.epochs = overEpochs && !stored.empty() && stored.back().epoch > 0;
    std::vector<chart::XY> points;
    points.reserve(stored.size());
    for (const auto& point : stored)
        points.push_back({curve.epochs ? point.epoch : static_cast<double>(point.step), point.value});
    curve.line = chart::lineOf(chart::reduce(points, kMostPoints), extremes);
    return curve;
}

} // namespace trainyard::report
