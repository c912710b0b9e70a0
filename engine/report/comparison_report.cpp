// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chart/reduce.h"
#include "engine/report/report_parts.h"
#include "engine/report/run_report.h"
#include "engine/run/actions/compare_runs.h"

#include <algorithm>
#include <set>

namespace trainyard::report {
namespace {

constexpr std::size_t kMostSeries = 16;
constexpr int kMeanColumns = 200;

// Which runs differ by nothing but their seed, in the order of the first of each.
std::vector<std::vector<std::size_t>> configurationsOf(const std::vector<run::StoredRun>& runs) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::string key;
        for (const auto& [path, value] : runs[i].settings())
            if (path != "seed") key += path + "=" + value + "\n";
        const auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.first == key; });
        if (at == groups.end()) groups.push_back({key, {i}});
        else at->second.push_back(i);
    }
    std::vector<std::vector<std::size_t>> members;
    for (auto& [key, list] : groups) members.push_back(std::move(list));
    return members;
}

Result<chart::Chart> chartOf(store::RunQuery& query, const std::vector<run::StoredRun>& runs,
                             const std::vector<std::vector<std::size_t>>& groups, const std::string& series) {
    chart::Chart chart{.title = series, .x = {"epoch"}};
    for (std::size_t group = 0; group < groups.size(); ++group) {
        std::vector<chart::Line> lines;
        for (const std::size_t index : groups[group]) {
            if (!runs[index].series(series)) continue;
            TY_ASSIGN(auto curve, curveOf(query, runs[index].row().id, series, false));
            if (!curve.epochs) chart.x.title = "step";
            lines.push_back(std::move(curve.line));
        }
        if (lines.empty()) continue;
        chart::Line line = lines.size() == 1 ? lines.front() : chart::meanOf(lines, kMeanColumns);
        line.label = runs[groups[group].front()].row().name;
        if (lines.size() > 1) {
            line.label += ", " + std::to_string(lines.size()) + " seeds";
            chart.note = "mean ± std";
        }
        line.color = static_cast<int>(group);
        line.dashed = group >= 10;
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
            const bool number = part == run::ComparedRow::Part::Result && row.numbers[i] == row.numbers[i];
            const std::string value = row.values[i].empty() ? "–" : number ? numberText(row.numbers[i]) : row.values[i];
            const bool same = i > 0 && row.values[i] == row.values.front();
            cells.push_back(same ? muted(value) : plain(value + (difference.empty() ? "" : " (" + difference + ")")));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace

Result<Report> reportOf(store::RunQuery& query, const std::vector<store::RunRow>& rows) {
    std::vector<run::StoredRun> runs;
    std::set<std::string> series;
    Report report;
    report.kind = "Comparison";
    report.subtitle = "The first run is the baseline.";
    Table list{.columns = {{"run"}, {"id"}, {"status"}, {"began"}, {"training", true}}};
    for (const auto& row : rows) {
        TY_ASSIGN(auto summaries, query.summaries(row.id));
        for (const auto& each : summaries) series.insert(each.series);
        report.title += (report.title.empty() ? "" : rows.size() == 2 ? " and " : ", ") + row.name;
        list.rows.push_back({strong(row.name), plain(row.id), plain(wire::toString(row.status)),
                             plain(dateText(row.startedMs)), plain(timeText(row.trainSeconds))});
        runs.emplace_back(row, std::move(summaries));
    }
    if (rows.size() > 4) report.title = std::to_string(rows.size()) + " runs";
    report.sections.push_back({"Runs", {std::move(list)}});
    Charts charts;
    const auto groups = configurationsOf(runs);
    for (const std::string& name : series) {
        if (charts.charts.size() == kMostSeries) break;
        TY_ASSIGN(auto chart, chartOf(query, runs, groups, name));
        charts.charts.push_back(std::move(chart));
    }
    if (!charts.charts.empty()) report.sections.push_back({"Curves", {std::move(charts)}});
    const auto comparison = run::compareRuns(runs);
    Section differences{"Differences"};
    using Part = run::ComparedRow::Part;
    for (const Part part : {Part::Result, Part::Setting, Part::Environment})
        if (auto table = differencesOf(comparison, part); !table.rows.empty())
            differences.blocks.emplace_back(std::move(table));
    if (differences.blocks.empty()) differences.blocks.emplace_back(Text{"The runs do not differ."});
    report.sections.push_back(std::move(differences));
    std::string command = "trainyardctl compare";
    for (const auto& row : rows) command += " " + row.id;
    report.sections.push_back({"Repeat it", {Code{"", command}}});
    report.footer = "Trainyard, " + std::to_string(rows.size()) + " runs";
    return report;
}

} // namespace trainyard::report
