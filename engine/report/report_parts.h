// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports have in common. Only for engine/report.
#pragma once

#include "engine/report/report.h"
#include "engine/store/run_query.h"

namespace trainyard::report {

std::string numberText(double value);          // "0.9438", four significant digits; "–" when it is not finite
std::string countText(std::int64_t count);     // "12,345"
std::string timeText(double seconds);          // "42 s", "3 min 05 s", "2 h 10 min"
std::string dateText(std::int64_t wallMs);     // "2026-11-20 10:45:12 UTC"; "–" when it has not happened
std::string megabytesText(std::int64_t bytes); // "42.7 MB"
Tone toneOf(wire::RunStatus status);
Cell plain(std::string text);
Cell strong(std::string text);
Cell muted(std::string text);

// The points of a series over epochs, or over steps where the run counts no epochs, reduced for a chart.
struct Curve {
    chart::Line line{};
    bool epochs = false;
};
Result<Curve> curveOf(store::RunQuery& query, const std::string& run, const std::string& series, bool extremes);

// What the newest validation has found (evaluation.json of the run's folder); no sections without it.
std::vector<Section> evaluationSections(const store::RunRow& run);

} // namespace trainyard::report
