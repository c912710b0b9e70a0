// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports have in common. Only for engine/report.
#pragma once

#include "engine/report/report.h"
#include "engine/store/run_query.h"

namespace trainyard::report {

std::string numberText(double value);         // "0.9438", "12,345": four significant digits, or whole; "–": not finite
std::string dateText(std::int64_t wallMs);    // "2026-11-20 10:45:12 UTC"; "–" when it has not happened
std::string notDrawnText(std::size_t series); // "1 more series is not drawn."
// The title of a chart, with its unit where the name of the series does not say it: "time/step, s".
std::string chartTitleOf(const std::string& series);
Tone toneOf(wire::RunStatus status);
Cell plain(std::string text);
Cell strong(std::string text);
Cell muted(std::string text);

// Whether a run's curves can stand over its epochs. Not those of an imported run that has several points in an epoch:
// other programs log its whole number with each, and the curves were staircases.
bool hasEpochsAsAxis(const store::RunRow& run, const std::vector<store::SeriesSummary>& summaries);

// The points of a series over epochs, or over steps where the run counts no epochs, reduced for a chart.
struct Curve {
    chart::Line line{};
    bool epochs = false;
};
Result<Curve> curveOf(store::RunQuery& query, const RunId& run, const std::string& series, bool extremes,
                      bool overEpochs = true);

// What evaluation.json of the run's folder holds; no section without it, and the error in place of a damaged one.
std::vector<Section> evaluationSections(const store::RunRow& run);

} // namespace trainyard::report
