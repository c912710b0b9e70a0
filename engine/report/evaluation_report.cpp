// SPDX-License-Identifier: GPL-3.0-or-later
// evaluation.json as tables. It is a file of the run's folder, so any of its members may be missing or of another type.
#include "engine/base/atomic_file.h"
#include "engine/report/report_parts.h"
#include "engine/run/record/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostMatrixClasses = 24; // more do not fit on a page
constexpr std::size_t kMostClasses = 200;

double numberOf(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number() ? found->get<double>()
                                                       : std::numeric_limits<double>::quiet_NaN();
}

std::string nameOf(const Json& object) {
    const auto found = object.is_object() ? object.find("name") : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Table rowsTable(const Json& list, const char* title, const char* first,
                std::vector<std::pair<const char*, const char*>> keys) {
    Table table{.title = title, .columns = {{first}}};
    for (const auto& [key, heading] : keys) table.columns.push_back({heading, true});
    for (const Json& each : list) {
        if (table.rows.size() == kMostClasses) break;
        Row row{plain(nameOf(each))};
        for (const auto& [key, heading] : keys) row.push_back(plain(numberText(numberOf(each, key))));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::vector<double>> matrixOf(const Json& json) {
    std::vector<std::vector<double>> rows;
    for (const Json& line : json) {
        std::vector<double> row;
        if (!line.is_array() || line.size() != json.size()) return {};
        for (const Json& count : line) row.push_back(count.is_number() ? count.get<double>() : 0);
        rows.push_back(std::move(row));
    }
    return rows;
}

// Shaded by the share of the true class.
Table confusionTable(const std::vector<std::vector<double>>& counts, const std::vector<std::string>& names) {
    Table table{
        .title = "Confusion: rows are true classes, columns predicted ones", .columns = {{"true"}}, .matrix = true};
    for (const std::string& name : names) table.columns.push_back({name, true});
    for (std::size_t i = 0; i < counts.size(); ++i) {
        double sum = 0;
        for (const double count : counts[i]) sum += count;
        Row row{strong(names[i])};
        for (std::size_t j = 0; j < counts.size(); ++j) {
            const bool none = counts[i][j] == 0;
            Cell cell = none ? muted("·") : plain(countText(static_cast<std::int64_t>(counts[i][j])));
            if (i == j && !none) cell.weight = Cell::Weight::Strong;
            if (!none && sum > 0) cell.share = counts[i][j] / sum;
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table metricsTable(const Json& metrics, const std::string& title) {
    Table table{.title = title, .columns = {{"metric"}, {"value", true}}};
    for (const auto& [name, value] : metrics.items())
        if (value.is_number() && name != "step" && name != "epoch")
            table.rows.push_back({plain(name), plain(numberText(value.get<double>()))});
    if (const auto macro = metrics.find("macro"); macro != metrics.end() && macro->is_object())
        for (const auto& [name, value] : macro->items())
            if (value.is_number())
                table.rows.push_back({plain("macro " + name), plain(numberText(value.get<double>()))});
    return table;
}

} // namespace

std::vector<Section> evaluationSections(const store::RunRow& run) {
    const auto text = readFile(run::RunFolder{run.folder}.evaluationFile());
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (!json.is_object()) return {};
    Section section{"Evaluation"};
    section.blocks.emplace_back(metricsTable(json, "Newest validation, step " + numberText(numberOf(json, "step"))));
    if (const auto tests = json.find("test"); tests != json.end() && tests->is_object())
        for (const auto& [which, metrics] : tests->items())
            if (metrics.is_object())
                section.blocks.emplace_back(metricsTable(metrics, "Test samples, the " + which + " checkpoint"));
    std::vector<std::string> names;
    if (const auto classes = json.find("classes"); classes != json.end() && classes->is_array()) {
        section.blocks.emplace_back(
            rowsTable(*classes, "Classes", "class",
                      {{"precision", "precision"}, {"recall", "recall"}, {"f1", "F1"}, {"samples", "samples"}}));
        for (const Json& each : *classes) names.push_back(nameOf(each));
    }
    if (const auto columns = json.find("columns"); columns != json.end() && columns->is_array())
        section.blocks.emplace_back(
            rowsTable(*columns, "Columns", "column", {{"rmse", "RMSE"}, {"mae", "MAE"}, {"r2", "R²"}}));
    if (const auto found = json.find("confusion"); found != json.end() && found->is_array())
        if (const auto counts = matrixOf(*found);
            !counts.empty() && counts.size() == names.size() && counts.size() <= kMostMatrixClasses)
            section.blocks.emplace_back(confusionTable(counts, names));
    return {std::move(section)};
}

} // namespace trainyard::report
