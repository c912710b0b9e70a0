// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/sample_table.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"
#include "engine/formats/csv.h"
#include "engine/formats/record_reader.h"
#include "engine/formats/table_header.h"
#include "engine/torch/data/table_features.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace trainyard::train {

using formats::Column;
using formats::ColumnRule;
using formats::CsvCell;
using formats::Table;

namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

char explicitSeparator(const std::string& word) {
    return word == "comma" ? ',' : word == "semicolon" ? ';' : word == "tab" ? '\t' : word == "bar" ? '|' : '\0';
}

std::size_t placeOf(const std::vector<CsvCell>& cells, const std::string& name) {
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const CsvCell& cell) { return cell.text == name; });
    return found == cells.end() ? kNowhere : static_cast<std::size_t>(found - cells.begin());
}

std::string shortName(const std::string& name) { return '"' + printable(name, 40) + '"'; }

bool isWhole(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == std::string::npos;
}

} // namespace

SampleTable::SampleTable(const TrainedModel& trained)
    : m_trained(trained), m_info(trained.state.modelInfo), m_layout(m_info.table) {
    if (m_layout.isTable()) return;
    const auto& shape = m_info.sampleShape;
    const auto numbers = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    for (std::int64_t i = 1; i <= numbers; ++i) m_layout.features.push_back({.name = {}, .column = i});
}

// "a, b, colour"
std::string SampleTable::names() const {
    std::string list;
    for (const auto& feature : m_layout.features) {
        if (list.size() > 300) return list + ", …";
        if (!feature.name.empty()) list += (list.empty() ? "" : ", ") + printable(feature.name, 40);
    }
    return list;
}

bool SampleTable::fits(const CsvCell& cell, const TableLayout::Feature& feature) const {
    if (formats::standsForMissing(cell)) return true;
    if (feature.isWords) return std::find(feature.words.begin(), feature.words.end(), cell.text) != feature.words.end();
    if (feature.isDates()) return formats::momentOf(cell.text).has_value();
    return formats::stylesOf(cell.text) != 0 || !formats::withUnit(cell.text).unit.empty();
}

// The line as names: false where a feature is not among them.
bool SampleTable::matchNames(const std::vector<CsvCell>& first, Match& match) const {
    if (!m_layout.hasHeader) return false;
    for (const auto& feature : m_layout.features) match.features.push_back(placeOf(first, feature.name));
    for (const auto& target : m_layout.targets) match.targets.push_back(placeOf(first, target.name));
    match.hasHeader = true;
    return std::find(match.features.begin(), match.features.end(), kNowhere) == match.features.end();
}

// Cells without names: those that the model takes, or all of a table as it was trained on. False: not as many.
bool SampleTable::matchPlaces(const std::vector<CsvCell>& first, Match& match) const {
    const std::size_t wanted = m_layout.features.size(), all = static_cast<std::size_t>(m_layout.columns);
    match.features.resize(wanted);
    match.targets.assign(m_layout.targets.size(), kNowhere);
    if (first.size() == wanted) {
        std::iota(match.features.begin(), match.features.end(), std::size_t{0});
        return true;
    }
    if (m_layout.hasHeader || first.size() != all) return false;
    for (std::size_t f = 0; f < wanted; ++f)
        match.features[f] = static_cast<std::size_t>(m_layout.features[f].column - 1);
    for (std::size_t t = 0; t < m_layout.targets.size(); ++t)
        match.targets[t] = static_cast<std::size_t>(m_layout.targets[t].column - 1);
    return true;
}

Error SampleTable::namesMissing(const std::string& file, const std::vector<CsvCell>& first) const {
    std::vector<std::string> there;
    std::string missing, meant;
    for (const CsvCell& cell : first) there.push_back(cell.text);
    for (const auto& feature : m_layout.features) {
        if (std::find(there.begin(), there.end(), feature.name) != there.end()) continue;
        if (missing.size() < 300) missing += (missing.empty() ? "" : ", ") + shortName(feature.name);
        const std::string near = nearestWord(feature.name, there);
        if (!near.empty() && meant.empty())
            meant = "rename " + shortName(near) + " to " + shortName(feature.name) + ", if it is that column; ";
    }
    const bool several = missing.find("\", \"") != std::string::npos;
    return inputError((several ? "has no columns " : "has no column ") + missing + ", which the model takes", file,
                      meant + "the model takes: " + names());
}

Result<SampleTable::Match> SampleTable::matchFirst(const std::string& file, const std::vector<CsvCell>& first) const {
    Match match;
    if (matchNames(first, match)) return match;
    Match byPlace;
    const bool asMany = matchPlaces(first, byPlace);
    bool isRow = asMany;
    for (std::size_t f = 0; isRow && f < m_layout.features.size(); ++f)
        isRow = fits(first[byPlace.features[f]], m_layout.features[f]);
    if (asMany && (isRow || !m_layout.hasHeader)) {
        byPlace.hasHeader = !isRow; // names that the model does not know
        return byPlace;
    }
    const bool someNumber =
        std::any_of(first.begin(), first.end(), [](const CsvCell& cell) { return formats::stylesOf(cell.text) != 0; });
    const bool anyName =
        std::any_of(match.features.begin(), match.features.end(), [](std::size_t place) { return place != kNowhere; });
    if (m_layout.hasHeader && (anyName || !someNumber)) return namesMissing(file, first);
    const std::string list = names();
    const std::string takes = std::to_string(m_layout.features.size()) + (list.empty() ? " numbers" : ": " + list);
    if (!asMany)
        return inputError(
            "has " + std::to_string(first.size()) + " cells in its first line, and the model takes " + takes, file,
            m_layout.hasHeader ? "give the table a header with these names" : "give it these cells alone");
    return inputError("the first line is neither names of columns nor a row, and the model takes " + takes, file,
                      m_layout.hasHeader ? "give the table a header with these names" : "correct the line");
}

// The separator is the run file's, if the first line fits with it, else the one that the line tells.
Result<SampleTable::Match> SampleTable::match(const std::string& file) const {
    const char given = explicitSeparator(m_trained.spec.dataset.text("separator", "auto"));
    for (const char separator : {given, '\0'}) {
        TY_ASSIGN(const auto reader, formats::openRecords(file, separator));
        std::vector<CsvCell> first;
        TY_ASSIGN(const bool more, reader->next(first));
        if (!more) return inputError("has no rows", file, "choose a file with a table in it");
        auto found = matchFirst(file, first);
        if (found) found->separator = reader->separator();
        if (found || separator == 0) return found;
    }
    return inputError("has no rows", file); // the loop has returned
}

ColumnRule SampleTable::ruleOf(const TableLayout::Feature& feature) const {
    return {.kind = feature.isWords     ? ColumnRule::Kind::Words
                    : feature.isDates() ? ColumnRule::Kind::Dates
                                        : ColumnRule::Kind::Numbers};
}

// Classes that are whole numbers may be written as 1 or 1.0.
ColumnRule::Kind SampleTable::kindOfTargets() const {
    const bool numbers = m_info.task == TaskKind::Regression || m_info.task == TaskKind::MultiLabel ||
                         std::all_of(m_info.classNames.begin(), m_info.classNames.end(), isWhole);
    return numbers ? ColumnRule::Kind::Numbers : ColumnRule::Kind::Words;
}

formats::TableOptions SampleTable::optionsFor(const Match& match) const {
    const std::string decimal = m_trained.spec.dataset.text("decimal", "auto");
    formats::TableOptions options{.separator = match.separator,
                                  .header = match.hasHeader ? formats::Header::Yes : formats::Header::No,
                                  .likelyDecimal = decimal == "comma"   ? ','
                                                   : decimal == "point" ? '.'
                                                                        : m_layout.decimal,
                                  .missing = formats::Missing::Keep};
    options.rules = [this, &match](const Table& table) -> Result<std::vector<ColumnRule>> {
        std::vector<ColumnRule> rules(table.columns.size(), {.isRead = false});
        for (const std::size_t place : match.targets)
            if (place != kNowhere) rules[place] = {.kind = kindOfTargets()};
        for (std::size_t f = 0; f < match.features.size(); ++f) rules[match.features[f]] = ruleOf(m_layout.features[f]);
        return rules;
    };
    return options;
}

Result<void> SampleTable::checkUnits(const Table& table, const Match& match) const {
    for (std::size_t f = 0; f < match.features.size(); ++f) {
        const std::string &found = table.columns[match.features[f]].unit, &trained = m_layout.features[f].unit;
        if (found.empty() || found == trained) continue;
        return inputError("the numbers are in " + shortName(found) + ", and the model was trained on " +
                              (trained.empty() ? "numbers without a unit" : "those in " + shortName(trained)),
                          table.position(0, match.features[f]), "convert them, and remove the unit");
    }
    return {};
}

void SampleTable::label(Sample& sample, const Table& table, const Match& match, std::size_t row) const {
    for (const std::size_t place : match.targets) {
        if (place == kNowhere) return;
        const Column& column = table.columns[place];
        if (column.isWords ? column.words[row] < 0 : std::isnan(column.numbers[row])) return;
        if (m_info.task == TaskKind::Regression || m_info.task == TaskKind::MultiLabel) {
            sample.targets.push_back(column.numbers[row]);
            continue;
        }
        sample.labelText = column.isWords ? column.vocabulary[static_cast<std::size_t>(column.words[row])]
                                          : spec::toText(column.numbers[row]);
        const auto found = std::find(m_info.classNames.begin(), m_info.classNames.end(), sample.labelText);
        if (found != m_info.classNames.end()) sample.label = found - m_info.classNames.begin();
    }
}

Result<void> SampleTable::hand(Table table, const Match& match, const std::string& name, const SampleSink& sink) const {
    for (std::size_t f = 0; f < match.features.size() && !match.hasHeader; ++f) // errors name columns as the model does
        if (!m_layout.features[f].name.empty()) table.columns[match.features[f]].name = m_layout.features[f].name;
    TY_TRY(checkUnits(table, match));
    TY_ASSIGN(const torch::Tensor numbers, data::encoded(table, match.features, m_layout, data::Gaps::Fill));
    const bool image = m_info.sampleShape.size() == 3; // pixels, which are brought to shape and scale elsewhere
    const torch::Tensor inputs =
        image ? numbers.to(torch::kFloat32) : data::standardised(numbers, m_info.mean, m_info.stddev);
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        const auto index = static_cast<std::size_t>(row);
        Sample sample{name.empty() ? table.file + ":" + std::to_string(table.lines[index]) : name, inputs[row], {}, {}};
        label(sample, table, match, index);
        sink(std::move(sample));
    }
    return {};
}

Result<void> SampleTable::readFile(const std::string& file, const SampleSink& sink) const {
    TY_ASSIGN(const Match found, match(file));
    TY_ASSIGN(Table table, formats::readTable(file, optionsFor(found)));
    return hand(std::move(table), found, {}, sink);
}

Result<void> SampleTable::readRow(const std::string& row, const std::string& name, const SampleSink& sink) const {
    Match found{.separator = ',', .features = {}, .targets = {}};
    formats::TableOptions options = optionsFor(found);
    std::size_t cells = 0;
    const auto rules = options.rules;
    options.rules = [&](const Table& table) -> Result<std::vector<ColumnRule>> {
        cells = table.columns.size();
        if (cells != m_layout.features.size()) return std::vector<ColumnRule>(cells, {.isRead = false});
        found.features.resize(cells);
        std::iota(found.features.begin(), found.features.end(), std::size_t{0});
        return rules(table);
    };
    TY_ASSIGN(Table table, formats::readTableText(row, name, options));
    if (cells != m_layout.features.size()) {
        const std::string list = names(), wanted = std::to_string(m_layout.features.size());
        if (list.empty())
            return inputError("holds " + std::to_string(cells) + " numbers, and a sample of this model has " + wanted,
                              name);
        return inputError("holds " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
                              ", and the model takes " + wanted + ": " + list,
                          name, "give them in this order, with commas between them");
    }
    return hand(std::move(table), found, name, sink);
}

} // namespace trainyard::train
