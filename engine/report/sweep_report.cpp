// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/sweep_report.h"

#include "engine/base/text/amounts.h"
#include "engine/chart/svg.h"
#include "engine/report/report_parts.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace trainyard::report {
namespace {

constexpr std::size_t kMostSlices = 12, kMostTrialRows = 1000, kMostTrialCurves = 20;
constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

// A sweep as it is reported.
struct ReportedSweep {
    store::SweepRow row;
    spec::SweepSpec spec;
    sweep::Ranking ranking;
    run::Score score;
    std::vector<spec::Params> params{}; // of each trial

    double scoreOf(std::size_t trial) const { return ranking.trials[trial].standing.score.value_or(kNoScore); }
};

Result<ReportedSweep> readSweep(store::RunQuery& query, const store::SweepRow& row) {
    TY_ASSIGN(auto spec, sweep::specOf(row));
    TY_ASSIGN(auto ranking, sweep::rankTrials(query, row.id, spec));
    ReportedSweep sweep{row, std::move(spec), std::move(ranking), {}};
    sweep.score = sweep::scoreOf(sweep.spec);
    for (const auto& trial : sweep.ranking.trials) sweep.params.push_back(spec::paramsFromText(trial.row.paramsJson));
    return sweep;
}

std::optional<double> numberIn(const spec::Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return *number;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::nullopt;
}

std::string paramText(const spec::Params& params, const std::string& path) {
    const auto found = params.find(path);
    if (found == params.end()) return "–";
    const auto* number = std::get_if<double>(&found->second); // a searcher draws all of its 17 digits
    return number != nullptr ? numberText(*number) : spec::toText(found->second);
}

void addHead(Report& report, const ReportedSweep& sweep) {
    report.kind = "Sweep report";
    report.title = sweep.row.name;
    report.status = wire::toString(sweep.row.status);
    report.tone = toneOf(sweep.row.status);
    report.subtitle = sweep.spec.searcher.name + " search, " + sweep.spec.scheduler.name + " scheduler, by " +
                      sweep.spec.scoreBy + ", " + dateText(sweep.row.createdMs);
    report.footer = "Trainyard, sweep " + sweep.row.id;
    if (!sweep.ranking.order.empty() && !sweep.ranking.best.empty())
        report.tiles.push_back({numberText(sweep.scoreOf(sweep.ranking.order.front())), "best " + sweep.spec.scoreBy});
    report.tiles.push_back({grouped(std::ssize(sweep.ranking.trials)), "trials"});
    std::int64_t failed = 0, early = 0;
    double seconds = 0;
    for (const auto& trial : sweep.ranking.trials) {
        failed += trial.row.status == wire::RunStatus::Failed ? 1 : 0;
        early += trial.reason.empty() ? 0 : 1;
        seconds += trial.row.trainSeconds;
    }
    if (early > 0) report.tiles.push_back({grouped(early), "stopped early"});
    if (failed > 0) report.tiles.push_back({grouped(failed), "failed"});
    report.tiles.push_back({durationText(seconds), "training in all"});
}

Section bestSection(const ReportedSweep& sweep) {
    Section section{"Best trial"};
    if (!sweep.ranking.reason.empty()) section.blocks.emplace_back(Text{sweep.ranking.reason, Tone::Warning});
    if (sweep.ranking.best.empty()) {
        section.blocks.emplace_back(Text{"No trial has a score."});
        return section;
    }
    const std::size_t best = sweep.ranking.order.front();
    const auto& trial = sweep.ranking.trials[best];
    section.blocks.emplace_back(Text{"Trial " + std::to_string(trial.row.trial) + ", run " + trial.row.name + " (" +
                                     trial.row.id + "), after " + grouped(trial.standing.step) + " steps."});
    if (const auto lead = sweep::leadText(sweep.ranking.configurations); !lead.empty())
        section.blocks.emplace_back(Text{lead});
    Table table{.columns = {{"parameter"}, {"value"}}};
    for (const auto& axis : sweep.spec.space)
        table.rows.push_back({plain(axis.path), strong(paramText(sweep.params[best], axis.path))});
    section.blocks.emplace_back(std::move(table));
    return section;
}

// Every trial's score as it came, and the best one so far.
chart::Chart overTime(const ReportedSweep& sweep) {
    std::vector<double> losses;
    chart::Line each{.label = "trial", .color = 1, .joined = false}, best{.label = "best so far"};
    for (std::size_t at = 0; at < sweep.ranking.trials.size(); ++at) {
        losses.push_back(sweep::lossOf(sweep.scoreOf(at), sweep.score.better));
        each.points.push_back({static_cast<double>(sweep.ranking.trials[at].row.trial), sweep.scoreOf(at)});
    }
    const auto least = sweep::bestSoFar(losses);
    for (std::size_t at = 0; at < least.size(); ++at) {
        const double score = sweep.score.better == spec::Better::Larger ? -least[at] : least[at];
        // A step, since the best stays what it is until another trial beats it.
        if (!best.points.empty()) best.points.push_back({each.points[at].x, best.points.back().y});
        best.points.push_back({each.points[at].x, score});
    }
    return {.title = sweep.spec.scoreBy, .x = {"trial"}, .lines = {std::move(each), std::move(best)}};
}

// The score over one axis. Words stand at whole numbers, which the title explains.
chart::Chart sliceOf(const ReportedSweep& sweep, const spec::Axis& axis) {
    chart::Chart chart{.title = axis.path, .x = {axis.path, axis.logScale}};
    bool isNumber = true;
    for (const auto& value : axis.values) isNumber = isNumber && numberIn(value).has_value();
    if (!isNumber) {
        std::string words;
        for (std::size_t at = 0; at < axis.values.size(); ++at)
            words += (at == 0 ? "" : ", ") + std::to_string(at) + " " + spec::toText(axis.values[at]);
        chart.x.title = chart::elided(words, 60);
    }
    chart::Line dots{.joined = false};
    for (std::size_t at = 0; at < sweep.params.size(); ++at) {
        const auto found = sweep.params[at].find(axis.path);
        if (found == sweep.params[at].end()) continue;
        const auto place = std::find(axis.values.begin(), axis.values.end(), found->second);
        const auto number = numberIn(found->second);
        const double x = isNumber ? number.value_or(kNoScore) : static_cast<double>(place - axis.values.begin());
        dots.points.push_back({x, sweep.scoreOf(at)});
    }
    chart.lines.push_back(std::move(dots));
    return chart;
}

Section searchSection(const ReportedSweep& sweep) {
    Section section{"Search"};
    section.blocks.emplace_back(Text{"Each dot is a trial, at its " + sweep.spec.scoreBy + "."});
    Charts charts{{overTime(sweep)}};
    for (const auto& axis : sweep.spec.space)
        if (charts.charts.size() <= kMostSlices) charts.charts.push_back(sliceOf(sweep, axis));
    section.blocks.emplace_back(std::move(charts));
    return section;
}

// How much each axis decides; nothing where too few trials have a score.
Section importanceSection(const ReportedSweep& sweep) {
    Section section{"Importance"};
    const auto found = sweep::importanceOfSweep(sweep.spec, sweep.ranking);
    if (!found) return section;
    section.blocks.emplace_back(Text{"How much each parameter decides whether a trial is among the best tenth of " +
                                     std::to_string(found->results) + " (PED-ANOVA)." +
                                     (sweep::tellsImportance(found->axes) ? "" : " Too few results to tell.")});
    Table table{.columns = {{"parameter"}, {"share", true}}, .matrix = true};
    for (const auto& axis : found->axes)
        table.rows.push_back(
            {plain(axis.path), {.text = numberText(std::round(1000 * axis.share) / 10) + "%", .share = axis.share}});
    section.blocks.emplace_back(std::move(table));
    return section;
}

// The score's course in the best trials: the best of all above the others.
Result<Section> curvesSection(store::RunQuery& query, const ReportedSweep& sweep) {
    chart::Chart chart{.title = sweep.spec.scoreBy, .x = {"epoch"}};
    for (std::size_t place = 0; place < std::min(kMostTrialCurves, sweep.ranking.order.size()); ++place) {
        const auto& trial = sweep.ranking.trials[sweep.ranking.order[place]];
        TY_ASSIGN(auto curve, curveOf(query, RunId(trial.row.id), sweep.score.series, false));
        if (curve.line.points.empty()) continue;
        if (!curve.epochs) chart.x.title = "step";
        curve.line.color = place == 0 ? 0 : 1;
        curve.line.faint = place > 0;
        curve.line.label = place == 0   ? "trial " + std::to_string(trial.row.trial) + ", the best"
                           : place == 1 ? "the next ones"
                                        : "";
        chart.lines.insert(chart.lines.begin(), std::move(curve.line));
    }
    Section section{"Curves"};
    if (!chart.lines.empty()) section.blocks.emplace_back(Charts{{std::move(chart)}});
    return section;
}

// "momentum" of optimizer.momentum, so that what is said of a trial has room; whole where two axes end alike.
std::string columnTitleOf(const spec::Axis& axis, const std::vector<spec::Axis>& all) {
    const auto last = [](const spec::Axis& each) { return each.path.substr(each.path.rfind('.') + 1); };
    const auto alike =
        std::count_if(all.begin(), all.end(), [&](const auto& each) { return last(each) == last(axis); });
    return alike == 1 ? last(axis) : axis.path;
}

Section trialsSection(const ReportedSweep& sweep) {
    Table table{.columns = {{"", true}, {"trial", true}, {"run"}, {"status"}, {"score", true}, {"step", true}}};
    for (const auto& axis : sweep.spec.space) table.columns.push_back({columnTitleOf(axis, sweep.spec.space), true});
    table.columns.push_back({"why it ended"});
    for (std::size_t place = 0; place < std::min(kMostTrialRows, sweep.ranking.order.size()); ++place) {
        const std::size_t at = sweep.ranking.order[place];
        const auto& trial = sweep.ranking.trials[at];
        Row row{muted(std::to_string(place + 1)),
                plain(std::to_string(trial.row.trial)),
                plain(trial.row.name),
                plain(wire::toString(trial.row.status)),
                strong(numberText(sweep.scoreOf(at))),
                plain(trial.standing.score ? grouped(trial.standing.step) : "–")};
        for (const auto& axis : sweep.spec.space) row.push_back(plain(paramText(sweep.params[at], axis.path)));
        row.push_back(muted(!trial.row.error.message.empty() ? trial.row.error.message : trial.reason));
        table.rows.push_back(std::move(row));
    }
    Section section{"Trials"};
    if (sweep.ranking.order.size() > kMostTrialRows)
        section.blocks.emplace_back(Text{"The best " + std::to_string(kMostTrialRows) + " of " +
                                         grouped(std::ssize(sweep.ranking.order)) + "."});
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
    return section;
}

} // namespace

Result<Report> reportOf(store::RunQuery& query, const store::SweepRow& row) {
    TY_ASSIGN(const auto sweep, readSweep(query, row));
    Report report;
    addHead(report, sweep);
    const auto append = [&](Section section) {
        if (!section.blocks.empty()) report.sections.push_back(std::move(section));
    };
    append(bestSection(sweep));
    if (!sweep.ranking.best.empty()) {
        append(searchSection(sweep));
        append(importanceSection(sweep));
        TY_ASSIGN(auto curves, curvesSection(query, sweep));
        append(std::move(curves));
    }
    append(trialsSection(sweep));
    append(
        {"Repeat it",
         {Text{"Save this sweep file as sweep.json. Seeds are in it; data and models that it names by a path must be "
               "there."},
          Code{"", "trainyardctl sweep sweep.json"}, Code{"sweep.json", row.specJson}}});
    return report;
}

} // namespace trainyard::report
