// SPDX-License-Identifier: GPL-3.0-or-later
// evaluation.json as tables.
#include "engine/report/evaluation_curves.h"
#include "engine/report/report_parts.h"
#include "engine/run/record/evaluation.h"
#include "engine/run/record/run_folder.h"

namespace trainyard::report {
namespace {

constexpr std::size_t kMostMatrixClasses = 24; // more do not fit on a page
constexpr std::size_t kMostClasses = 200;

Table metricsTable(const run::EvaluationSet& set) {
    Table table{.columns = {{"metric"}}};
    std::vector<const run::Evaluation*> parts;
    const auto add = [&](const std::string& title, const run::Evaluation& part) {
        table.columns.push_back({title + ", step " + numberText(static_cast<double>(part.step)), true});
        parts.push_back(&part);
    };
    if (set.validated) add("validation", set.newest);
    for (const auto& [checkpoint, part] : set.tests) add("test, " + checkpoint + " checkpoint", part);
    std::map<std::string, Row> rows;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (const auto& [name, value] : parts[i]->metrics) {
            Row& row = rows.try_emplace(name, Row(parts.size() + 1, muted("–"))).first->second;
            row.front() = plain(name);
            row[i + 1] = plain(numberText(value));
        }
    for (auto& [name, row] : rows) table.rows.push_back(std::move(row));
    return table;
}

Table classesTable(const run::Evaluation& part) {
    const bool columns = part.task == spec::TaskKind::Regression;
    Table table =
        columns ? Table{.title = "Columns", .columns = {{"column"}, {"RMSE", true}, {"MAE", true}, {"R²", true}}}
                : Table{.title = "Classes",
                        .columns = {{"class"}, {"precision", true}, {"recall", true}, {"F1", true}, {"samples", true}}};
    for (const run::ClassScore& each : part.classes) {
        if (table.rows.size() == kMostClasses) break;
        Row row{plain(each.name)};
        if (columns)
            for (const double value : {each.rmse, each.mae, each.r2}) row.push_back(plain(numberText(value)));
        else
            for (const double value : {each.precision, each.recall, each.f1, static_cast<double>(each.samples)})
                row.push_back(plain(numberText(value)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

chart::Line diagonal(std::string label) {
    return {.label = std::move(label), .color = 7, .dashed = true, .points = {{0, 0}, {1, 1}}};
}

// What the probabilities are worth: how far they can be believed, and how well they rank each class.
Charts probabilityCharts(const run::Evaluation& part) {
    constexpr std::size_t kMostCurves = 10; // more cannot be told apart
    Charts charts;
    if (!part.reliability.empty()) {
        chart::Line line{.label = "predictions"};
        for (const run::Reliability& bin : part.reliability) line.points.push_back({bin.confidence, bin.accuracy});
        charts.charts.push_back({.title = "Reliability",
                                 .x = {"probability of the predicted class"},
                                 .y = {"accuracy"},
                                 .lines = {std::move(line), diagonal("as probable as right")}});
    }
    chart::Chart roc{.title = "ROC", .x = {"share of others taken for it"}, .y = {"share found"}};
    for (const run::ClassScore& each : part.classes) {
        if (each.roc.size() < 2 || roc.lines.size() == kMostCurves) continue;
        chart::Line line{.label = each.name, .color = static_cast<int>(roc.lines.size())};
        for (const auto& [x, y] : rocOf(each)) line.points.push_back({x, y});
        roc.lines.push_back(std::move(line));
    }
    if (!roc.lines.empty()) charts.charts.push_back(std::move(roc));
    return charts;
}

// Shaded by the share of the true class.
Table confusionTable(const run::Evaluation& part) {
    Table table{.title = "Confusion: rows are true classes, columns predicted ones", .columns = {{""}}, .matrix = true};
    for (const run::ClassScore& each : part.classes) table.columns.push_back({each.name, true});
    for (std::size_t truth = 0; truth < part.confusion.size(); ++truth) {
        const auto& counts = part.confusion[truth];
        double sum = 0;
        for (const std::int64_t count : counts) sum += static_cast<double>(count);
        Row row{strong(part.classes[truth].name)};
        for (std::size_t predicted = 0; predicted < counts.size(); ++predicted) {
            const auto count = static_cast<double>(counts[predicted]);
            Cell cell = count > 0 ? plain(numberText(count)) : muted("·");
            if (truth == predicted && count > 0) cell.weight = Cell::Weight::Strong;
            if (count > 0) cell.share = count / sum;
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

std::vector<Section> evaluationSections(const store::RunRow& run) {
    const auto set = run::readEvaluations(run::RunFolder{run.folder}.evaluationFile());
    Section section{"Evaluation"};
    if (!set) {
        if (set.error().code == ErrorCode::FileMissing) return {};
        section.blocks.emplace_back(Text{set.error().text(), Tone::Warning});
        return {std::move(section)};
    }
    if (!set->validated && set->tests.empty()) return {};
    section.blocks.emplace_back(metricsTable(*set));
    const run::Evaluation& part = set->validated ? set->newest : set->tests.begin()->second;
    const std::string of = set->validated ? "of the validation samples" : "of the test samples";
    if (!part.classes.empty()) {
        Table classes = classesTable(part);
        classes.title += " " + of;
        section.blocks.emplace_back(std::move(classes));
    }
    if (Charts charts = probabilityCharts(part); !charts.charts.empty()) section.blocks.emplace_back(std::move(charts));
    if (!part.confusion.empty() && part.confusion.size() <= kMostMatrixClasses)
        section.blocks.emplace_back(confusionTable(part));
    return {std::move(section)};
}

} // namespace trainyard::report
