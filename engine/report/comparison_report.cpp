// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/amounts.h"
#include "engine/chart/reduce.h"
#include "engine/chart/svg.h"
#include "engine/report/report_parts.h"
#include "engine/report/run_report.h"
#include "engine/run/actions/compare_groups.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/values/flat_settings.h"
#include "engine/spec/values/group_names.h"
#include "engine/store/run_color.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace trainyard::report {
namespace {

constexpr std::size_t kMostSeries = 16;
constexpr int kMeanColumns = 200;

// Runs that differ by nothing but their seed, and what the charts call them.
struct Configuration {
    std::vector<std::size_t> runs{};
    std::string label{};
    int color = 0;
    std::string rgb{};   // instead of the colour; empty: none
    bool dashed = false; // another one has the colour, too
};

// The end of an id, by which runs of one name are told apart.
std::string shortId(const std::string& id) { return id.substr(id.rfind('-') + 1); }

// Each run's name, with the end of its id where another one has the same.
std::vector<std::string> namesOf(const std::vector<run::StoredRun>& runs) {
    std::map<std::string, int> count;
    for (const auto& each : runs) ++count[each.row().name];
    std::vector<std::string> names;
    for (const auto& each : runs)
        names.push_back(each.row().name + (count[each.row().name] > 1 ? " " + shortId(each.row().id) : ""));
    return names;
}

// The colours that were chosen for the runs; the others get those of the palette that are left, in their order.
void giveColors(std::vector<Configuration>& configurations, const std::vector<run::StoredRun>& runs) {
    std::set<int> taken;
    std::vector<Configuration*> others;
    for (Configuration& each : configurations) {
        const auto chosen = store::readColorChoice(runs[each.runs.front()].row().color);
        if (chosen && chosen->rgb) each.rgb = store::toText(*chosen);
        else if (chosen && chosen->place > 0) {
            each.color = (chosen->place - 1) % chart::kCurveInks;
            each.dashed = !taken.insert(each.color).second || chosen->place > chart::kCurveInks;
        } else others.push_back(&each);
    }
    int next = 0;
    for (Configuration* each : others) {
        while (next < chart::kCurveInks && taken.contains(next)) ++next;
        each->color = next;
        each->dashed = next++ >= chart::kCurveInks;
    }
}

// Several runs are called by what tells them from the others, one alone by its own name.
void giveLabels(std::vector<Configuration>& configurations, const std::vector<run::StoredRun>& runs,
                const std::vector<std::string>& names) {
    std::vector<std::vector<std::pair<std::string, std::string>>> settings;
    for (const Configuration& each : configurations) settings.push_back(runs[each.runs.front()].settings());
    const auto groups = spec::configurationNames(settings);
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        Configuration& each = configurations[i];
        const std::size_t first = each.runs.front();
        const std::string name = groups[i].brief.empty() ? runs[first].row().name : groups[i].brief;
        each.label = each.runs.size() == 1 ? names[first] : name + ", " + std::to_string(each.runs.size()) + " runs";
    }
}

// In the order of the first run of each.
std::vector<Configuration> configurationsOf(const std::vector<run::StoredRun>& runs,
                                            const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> places;
    std::vector<Configuration> found;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::string key;
        for (const auto& [path, value] : runs[i].settings())
            if (spec::isOfConfiguration(path)) key += path + "=" + value + "\n";
        const auto [at, fresh] = places.try_emplace(key, found.size());
        if (fresh) found.emplace_back();
        found[at->second].runs.push_back(i);
    }
    giveLabels(found, runs, names);
    giveColors(found, runs);
    return found;
}

Result<chart::Chart> chartOf(store::RunQuery& query, const std::vector<run::StoredRun>& runs,
                             const std::vector<Configuration>& configurations, const std::string& series) {
    chart::Chart chart{.title = chartTitleOf(series), .x = {"epoch"}};
    const bool overEpochs = std::all_of(runs.begin(), runs.end(), [](const run::StoredRun& each) {
        return hasEpochsAsAxis(each.row(), each.summaries());
    });
    for (const Configuration& each : configurations) {
        std::vector<chart::Line> lines;
        for (const std::size_t member : each.runs) {
            if (!runs[member].series(series)) continue;
            TY_ASSIGN(auto curve, curveOf(query, RunId(runs[member].row().id), series, false, overEpochs));
            if (!curve.epochs) chart.x.title = "step";
            lines.push_back(std::move(curve.line));
        }
        if (lines.empty()) continue;
        chart::Line line = lines.size() == 1 ? lines.front() : chart::meanOf(lines, kMeanColumns);
        if (lines.size() > 1) chart.note = "mean ± std";
        line.label = each.label;
        line.color = each.color;
        line.rgb = each.rgb;
        line.dashed = each.dashed;
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

Table differencesOf(const run::Comparison& comparison, run::ComparedRow::Part part) {
    std::string title = run::toString(part);
    title.front() = static_cast<char>(title.front() - 'a' + 'A');
    Table table{.title = title, .columns = {{""}}};
    for (const std::string& name : comparison.names) table.columns.push_back({name, true});
    for (const auto& row : comparison.rows) {
        if (row.part != part || !row.differs) continue;
        Row cells{plain(row.name)};
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            const std::string difference = run::differenceText(row, i, 0);
            // A seed or a number of steps stays as it is written.
            const bool number = std::isfinite(row.numbers[i]) &&
                                (part == run::ComparedRow::Part::Result || part == run::ComparedRow::Part::Timing ||
                                 row.numbers[i] != std::floor(row.numbers[i]));
            std::string value = row.values[i].empty() ? "–" : number ? numberText(row.numbers[i]) : row.values[i];
            if (i < row.spreads.size() && std::isfinite(row.spreads[i])) value += " ± " + numberText(row.spreads[i]);
            const bool same = i > 0 && row.values[i] == row.values.front();
            cells.push_back(same ? muted(value) : plain(value + (difference.empty() ? "" : " (" + difference + ")")));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table listOf(const std::vector<run::StoredRun>& runs) {
    Table table{.columns = {{"run"}, {"id"}, {"status"}, {"began"}, {"training", true}}};
    for (const auto& each : runs) {
        const store::RunRow& row = each.row();
        table.rows.push_back({strong(row.name), plain(row.id), plain(wire::toString(row.status)),
                              plain(dateText(row.startedMs)),
                              plain(row.trainSeconds > 0 ? durationText(row.trainSeconds) : "–")});
    }
    return table;
}

// All series of the runs, what tells most about them first: the first run's score, losses, other measures, the rest.
std::vector<std::string> seriesOf(const std::vector<run::StoredRun>& runs) {
    std::set<std::string> names;
    for (const auto& each : runs)
        for (const auto& summary : each.summaries())
            if (run::tellsOfTraining(summary.series) && !run::isSingleTest(summary.series, summary.count))
                names.insert(summary.series);
    const std::string score = runs.front().score().series;
    const auto place = [&](const std::string& name) {
        if (name == score) return 0;
        if (name.ends_with("/loss")) return 1;
        return name.starts_with("val/") ? 2 : name.starts_with("train/") ? 3 : 4;
    };
    std::vector<std::string> ordered(names.begin(), names.end());
    std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return ordered;
}

// One for all charts, as all have the same lines.
void shareLegend(Charts& charts, const std::vector<Configuration>& configurations) {
    for (const Configuration& each : configurations)
        charts.legend.push_back({.label = each.label, .color = each.color, .rgb = each.rgb, .dashed = each.dashed});
    for (chart::Chart& chart : charts.charts)
        for (chart::Line& line : chart.lines) line.label.clear();
}

Result<Section> curvesOf(store::RunQuery& query, const std::vector<run::StoredRun>& runs,
                         const std::vector<Configuration>& configurations, const Progress& progress) {
    const auto series = seriesOf(runs);
    const auto drawn = std::min(series.size(), kMostSeries);
    Charts charts;
    for (const std::string& name : std::span(series).first(drawn)) {
        if (progress && !progress(static_cast<double>(charts.charts.size()) / static_cast<double>(drawn)))
            return stoppedError("the report was stopped");
        TY_ASSIGN(auto chart, chartOf(query, runs, configurations, name));
        charts.charts.push_back(std::move(chart));
    }
    Section section{"Curves"};
    if (configurations.size() < runs.size())
        section.blocks.emplace_back(Text{"Runs that differ by their seed alone are one line: their mean, with one "
                                         "sample standard deviation to either side."});
    if (series.size() > kMostSeries) section.blocks.emplace_back(Text{notDrawnText(series.size() - kMostSeries)});
    if (charts.charts.empty()) return Section{};
    if (charts.charts.size() > 1) shareLegend(charts, configurations);
    section.blocks.emplace_back(std::move(charts));
    return section;
}

// A column for each run, or for each configuration where one has several.
run::Comparison comparisonOf(const std::vector<run::StoredRun>& runs, const std::vector<Configuration>& configurations,
                             const std::vector<std::string>& names) {
    run::Comparison comparison = run::compareRuns(runs);
    comparison.names = names;
    if (configurations.size() == runs.size()) return comparison;
    std::vector<run::ComparedGroup> groups;
    for (const Configuration& each : configurations) groups.push_back({each.label, each.label, each.runs});
    return run::compareGroups(comparison, groups);
}

Section differencesSection(const run::Comparison& comparison) {
    using Part = run::ComparedRow::Part;
    Section section{"Differences"};
    for (const Part part : {Part::Result, Part::Setting, Part::Timing, Part::Environment})
        if (auto table = differencesOf(comparison, part); !table.rows.empty())
            section.blocks.emplace_back(std::move(table));
    if (section.blocks.empty()) section.blocks.emplace_back(Text{"The runs do not differ."});
    return section;
}

std::string titleOf(const std::vector<std::string>& names) {
    if (names.size() > 4) return std::to_string(names.size()) + " runs";
    std::string title;
    for (const std::string& name : names)
        title += (title.empty() ? "" : &name == &names.back() ? " and " : ", ") + name;
    return title;
}

} // namespace

Result<Report> reportOf(store::RunQuery& query, const std::vector<store::RunRow>& rows, const Progress& progress) {
    std::vector<run::StoredRun> runs;
    std::string command = "trainyardctl compare";
    for (const auto& row : rows) {
        TY_ASSIGN(auto summaries, query.summaries(row.id));
        runs.emplace_back(row, std::move(summaries));
        command += " " + row.id;
    }
    const auto names = namesOf(runs);
    Report report;
    report.kind = "Comparison";
    report.title = titleOf(names);
    report.footer = "Trainyard, " + std::to_string(rows.size()) + " runs";
    report.sections.push_back({"Runs", {listOf(runs)}});
    const auto configurations = configurationsOf(runs, names);
    report.subtitle = configurations.front().label + " is the baseline.";
    TY_ASSIGN(auto curves, curvesOf(query, runs, configurations, progress));
    if (!curves.blocks.empty()) report.sections.push_back(std::move(curves));
    report.sections.push_back(differencesSection(comparisonOf(runs, configurations, names)));
    report.sections.push_back({"Repeat it", {Code{"", command}}});
    return report;
}

} // namespace trainyard::report
