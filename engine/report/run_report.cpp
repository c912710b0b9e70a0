// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_report.h"

#include "engine/base/math/sha256.h"
#include "engine/base/text/amounts.h"
#include "engine/report/report_parts.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/share/import_runs.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <map>
#include <span>

namespace trainyard::report {
namespace {

constexpr std::size_t kMostCharts = 24, kMostMessages = 200;

// "train/loss" and "val/loss" share a chart: the measure is what follows the prefix.
std::string measureOf(const std::string& series) {
    for (const std::string prefix : {"train/", "val/"})
        if (series.starts_with(prefix)) return series.substr(prefix.size());
    return series;
}

Result<Section> curvesSection(store::RunQuery& query, const store::RunRow& run,
                              const std::vector<store::SeriesSummary>& summaries) {
    const std::string first = measureOf(run::scoreOf(run, summaries).series);
    std::vector<std::pair<std::string, std::vector<std::string>>> measures;
    for (const auto& summary : summaries) {
        if (!run::tellsOfTraining(summary.series) || run::isSingleTest(summary.series, summary.count)) continue;
        const std::string measure = measureOf(summary.series);
        const auto at =
            std::find_if(measures.begin(), measures.end(), [&](const auto& m) { return m.first == measure; });
        if (at == measures.end()) measures.push_back({measure, {summary.series}});
        else at->second.push_back(summary.series);
    }
    const auto place = [&](const auto& each) {
        if (each.first == "loss" || each.first == first) return each.first == "loss" ? 0 : 1;
        return each.first != each.second.front() ? 2 : 3; // of training or validation; what it took comes last
    };
    std::stable_sort(measures.begin(), measures.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    Charts charts;
    bool banded = false;
    const bool overEpochs = hasEpochsAsAxis(run, summaries);
    for (const auto& [measure, names] : measures) {
        if (charts.charts.size() == kMostCharts) break;
        chart::Chart chart{.title = chartTitleOf(measure), .x = {"epoch"}};
        for (const std::string& name : names) {
            TY_ASSIGN(auto curve, curveOf(query, RunId(run.id), name, true, overEpochs));
            curve.line.label = names.size() > 1 || name != measure ? name : "";
            curve.line.color = name.starts_with("train/") ? 1 : 0;
            banded = banded || !curve.line.band.empty();
            if (!curve.epochs) chart.x.title = "step";
            chart.lines.push_back(std::move(curve.line));
        }
        charts.charts.push_back(std::move(chart));
    }
    Section section{"Curves"};
    if (banded)
        section.blocks.emplace_back(Text{"Lines are means of neighbouring points; the shaded bands reach from their "
                                         "least to their greatest value."});
    if (measures.size() > kMostCharts) section.blocks.emplace_back(Text{notDrawnText(measures.size() - kMostCharts)});
    section.blocks.emplace_back(std::move(charts));
    return section;
}

Section resultsSection(const store::RunRow& run, const std::vector<store::SeriesSummary>& summaries) {
    Table table{
        .columns = {{"series"}, {"best", true}, {"last", true}, {"least", true}, {"greatest", true}, {"points", true}}};
    const auto score = run::scoreOf(run, summaries);
    for (const auto& each : summaries) {
        if (!run::tellsOfTraining(each.series)) continue;
        const auto best = run::bestOf(each, score);
        table.rows.push_back({each.series == score.series ? strong(each.series) : plain(each.series),
                              plain(numberText(best.value) + " at step " + grouped(best.step)),
                              plain(numberText(each.last)), plain(numberText(each.min)), plain(numberText(each.max)),
                              plain(grouped(each.count))});
    }
    return {"Results", {std::move(table)}};
}

Section configurationSection(const store::RunRow& run) {
    std::map<std::string, std::string> defaults;
    for (auto& [path, value] : spec::flatSettings(spec::toJson(spec::RunSpec{}))) defaults[path] = value;
    Table chosen{.title = "Chosen", .columns = {{"setting"}, {"value"}, {"default"}}};
    Table kept{.title = "As by default", .columns = {{"setting"}, {"value"}}};
    for (const auto& [path, value] : spec::flatSettings(run.specJson)) {
        const auto found = defaults.find(path);
        if (found == defaults.end() && (value.empty() || value == "[]")) continue; // nothing was chosen
        if (found != defaults.end() && found->second == value) kept.rows.push_back({muted(path), muted(value)});
        else chosen.rows.push_back({plain(path), strong(value), muted(found == defaults.end() ? "" : found->second)});
    }
    Section section{"Configuration"};
    for (Table* table : {&chosen, &kept})
        if (!table->rows.empty()) section.blocks.emplace_back(std::move(*table));
    return section;
}

Result<Section> placeSection(store::RunQuery& query, const store::RunRow& run) {
    TY_ASSIGN(const auto workers, query.workers(run.id));
    Table ranks{.title = "Workers", .columns = {{"rank", true}, {"host"}, {"device"}, {"status"}}};
    for (const auto& worker : workers)
        ranks.rows.push_back({plain(std::to_string(worker.rank)),
                              plain(worker.host.empty() ? "this computer" : worker.host), plain(worker.device),
                              plain(wire::toString(worker.status))});
    Table versions{.title = "Versions", .columns = {{"what"}, {"value"}}};
    for (const auto& [path, value] : spec::flatSettings(run.environmentJson))
        if (!value.empty() && value != "[]" && path != "workers") versions.rows.push_back({plain(path), plain(value)});
    Section section{"Where it ran"};
    if (!ranks.rows.empty()) section.blocks.emplace_back(std::move(ranks));
    if (!versions.rows.empty()) section.blocks.emplace_back(std::move(versions));
    return section;
}

Result<Section> filesSection(store::RunQuery& query, const store::RunRow& run) {
    TY_ASSIGN(const auto checkpoints, query.checkpoints(run.id));
    Table table{.columns = {{"what"}, {"step", true}, {"size", true}, {"SHA-256"}}};
    const std::string file = sha256Hex(std::as_bytes(std::span(run.specJson)));
    table.rows.push_back({plain("run file"), plain(""), plain(bytesText(std::ssize(run.specJson))), plain(file)});
    for (const auto& each : checkpoints) {
        const std::string name = each.best && each.last ? "best and last checkpoint"
                                 : each.best            ? "best checkpoint"
                                 : each.last            ? "last checkpoint"
                                                        : "checkpoint";
        const bool named = each.best || each.last;
        const auto digest = named ? sha256HexOf(each.path) : Result<std::string>(std::string());
        table.rows.push_back({named ? strong(name) : plain(name), plain(grouped(each.step)),
                              plain(bytesText(each.bytes)), digest ? plain(*digest) : muted("the file is not here")});
    }
    return Section{"Files", {std::move(table)}};
}

// What its charts mark, and what was worth a warning.
Result<Section> eventsSection(store::RunQuery& query, const store::RunRow& run) {
    TY_ASSIGN(const auto events, query.events(run.id));
    Table happened{.columns = {{"step", true}, {"training", true}, {"event"}}};
    for (const auto& event : events)
        happened.rows.push_back(
            {plain(grouped(event.step)), muted(durationText(event.seconds)), plain(store::describe(event).text())});
    TY_ASSIGN(const auto lines, query.log(run.id));
    Table messages{.title = "Warnings and errors", .columns = {{"time"}, {"from"}, {"message"}}};
    for (const auto& line : lines) {
        if (line.level == "info" || messages.rows.size() == kMostMessages) continue;
        messages.rows.push_back({muted(dateText(line.wallMs)),
                                 plain(line.rank < 0 ? "supervisor" : "rank " + std::to_string(line.rank)),
                                 line.level == "error" ? strong(line.text) : plain(line.text)});
    }
    Section section{"Events"};
    for (Table* table : {&happened, &messages})
        if (!table->rows.empty()) section.blocks.emplace_back(std::move(*table));
    return section;
}

Section repeatSection(const store::RunRow& run) {
    Section section{"Repeat it"};
    if (const auto source = run::importSource(run)) {
        section.blocks.emplace_back(Text{"Another program has recorded this run; it was imported from " + source->path +
                                         ", files with the SHA-256 " + source->digest + "."});
        return section;
    }
    section.blocks.emplace_back(Text{"Save this run file as run.json. The seed is in it; data and models that it names "
                                     "by a path must be there."});
    section.blocks.emplace_back(Code{"", "trainyardctl run run.json"});
    section.blocks.emplace_back(Code{"run.json", run.specJson});
    return section;
}

std::string subtitleOf(const store::RunRow& run) {
    std::map<std::string, std::string> settings;
    for (auto& [path, value] : spec::flatSettings(run.specJson)) settings[path] = value;
    std::string text = settings["model"];
    if (const std::string& dataset = settings["dataset"]; !dataset.empty())
        text += (text.empty() ? "" : " on ") + dataset;
    if (run.startedMs > 0) text += (text.empty() ? "" : ", ") + dateText(run.startedMs);
    return text;
}

void addHead(Report& report, const store::RunRow& run, const std::vector<store::SeriesSummary>& summaries) {
    report.kind = "Run report";
    report.title = run.name;
    report.status = wire::toString(run.status);
    report.tone = toneOf(run.status);
    report.subtitle = subtitleOf(run);
    report.footer = "Trainyard, run " + run.id;
    const auto score = run::scoreOf(run, summaries);
    for (const auto& each : summaries)
        if (each.series == score.series)
            report.tiles.push_back({numberText(run::bestOf(each, score).value), "best " + each.series});
    report.tiles.push_back({numberText(run.epoch), "epochs"});
    report.tiles.push_back({grouped(run.step), "steps"});
    // What was not measured, as of an imported run, is not 0.
    if (run.trainSeconds > 0) report.tiles.push_back({durationText(run.trainSeconds), "training"});
    if (run.samplesPerSecond > 0) report.tiles.push_back({numberText(run.samplesPerSecond), "samples/s"});
    if (run.worldSize > 0)
        report.tiles.push_back({std::to_string(run.worldSize), run.worldSize == 1 ? "worker" : "workers"});
    if (run.restarts > 0)
        report.tiles.push_back({std::to_string(run.restarts), run.restarts == 1 ? "restart" : "restarts"});
}

Section summarySection(const store::RunRow& run, const std::string& notice) {
    Section section{"Summary"};
    if (!run.error.message.empty()) section.blocks.emplace_back(Text{run.error.text(), Tone::Bad});
    else if (!notice.empty()) section.blocks.emplace_back(Text{notice, Tone::Warning});
    if (!run.notes.empty()) section.blocks.emplace_back(Text{run.notes});
    if (!run.tags.empty()) section.blocks.emplace_back(Text{"Tags: " + run.tags});
    return section;
}

} // namespace

Result<Report> reportOf(store::RunQuery& query, const store::RunRow& run) {
    TY_ASSIGN(const auto summaries, query.summaries(run.id));
    TY_ASSIGN(const auto notice, query.notice(run.id));
    Report report;
    addHead(report, run, summaries);
    const auto append = [&](Section section) {
        if (!section.blocks.empty()) report.sections.push_back(std::move(section));
    };
    append(summarySection(run, notice));
    if (!summaries.empty()) {
        TY_ASSIGN(auto curves, curvesSection(query, run, summaries));
        append(std::move(curves));
        append(resultsSection(run, summaries));
    }
    for (Section& section : evaluationSections(run)) append(std::move(section));
    append(configurationSection(run));
    TY_ASSIGN(auto place, placeSection(query, run));
    append(std::move(place));
    TY_ASSIGN(auto events, eventsSection(query, run));
    append(std::move(events));
    TY_ASSIGN(auto files, filesSection(query, run));
    append(std::move(files));
    append(repeatSection(run));
    return report;
}

} // namespace trainyard::report
