// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in tables.
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/formats/labels/label_readers.h"

#include <algorithm>

namespace trainyard::formats {

namespace {

// Which columns hold what.
struct Columns {
    std::size_t file = 0;
    std::optional<std::size_t> part, group;
    std::vector<std::size_t> labels;
    bool header = true;
    bool flags = false; // each label has a column of 0 and 1

    std::size_t most() const {
        std::size_t last = std::max({file, part.value_or(0), group.value_or(0)});
        for (const std::size_t column : labels) last = std::max(last, column);
        return last + 1;
    }
};

std::vector<std::string> namesOf(const std::vector<CsvCell>& record) {
    std::vector<std::string> names;
    for (const CsvCell& cell : record) names.push_back(cell.text);
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 10); ++i)
        text += (i > 0 ? ", \"" : "\"") + printable(names[i], 40) + "\"";
    return text;
}

Result<std::size_t> columnCalled(const std::string& wanted, const std::vector<std::string>& header,
                                 const std::string& name, const char* remedy) {
    const auto found = std::find(header.begin(), header.end(), wanted);
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
    const std::string near = nearestWord(wanted, header);
    return inputError("has no column \"" + printable(wanted, 60) + "\"; there are " + listed(header), name,
                      near.empty() ? remedy : "did you mean \"" + printable(near, 60) + "\"?");
}

Result<void> chosenColumns(const std::vector<std::string>& header, const LabelOptions& options, const std::string& name,
                           Columns& columns) {
    for (const std::string& wanted : options.columns) {
        TY_ASSIGN(const std::size_t column,
                  columnCalled(wanted, header, name, "name one of them: dataset.params.columns, or --column"));
        columns.labels.push_back(column);
    }
    return {};
}

Result<Columns> columnsOf(const std::vector<std::string>& header, const LabelOptions& options,
                          const std::string& name) {
    Columns columns;
    const auto file = std::find_if(header.begin(), header.end(), [](const auto& each) { return namesFile(each); });
    if (file == header.end()) { // no header: file, label, part
        if (!options.columns.empty() || !options.group.empty() || header.size() < 2)
            return inputError("has no column of files among " + listed(header), name,
                              "call it file, path or image in the first line");
        columns.header = false;
        columns.labels = {1};
        if (header.size() > 2) columns.part = 2;
        return columns;
    }
    columns.file = static_cast<std::size_t>(file - header.begin());
    const auto part = std::find_if(header.begin(), header.end(), [](const auto& each) { return namesPart(each); });
    if (part != header.end()) columns.part = static_cast<std::size_t>(part - header.begin());
    TY_TRY(chosenColumns(header, options, name, columns));
    if (!options.group.empty()) {
        TY_ASSIGN(columns.group, columnCalled(options.group, header, name,
                                              "name one of them in dataset.params.groupColumn, or set it to \"\""));
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (i == columns.file || i == columns.part || i == columns.group) continue;
        others.push_back(i);
        if (options.columns.empty() && namesLabel(header[i])) columns.labels.push_back(i);
    }
    if (columns.labels.empty() && (options.use != LabelUse::Class || others.size() == 1)) columns.labels = others;
    if (columns.labels.empty())
        return inputError("has no column of labels among " + listed(header), name,
                          "call it label, or name it: dataset.params.columns, or --column");
    columns.flags = options.use == LabelUse::Several && columns.labels.size() > 1;
    if (options.use == LabelUse::Class && columns.labels.size() > 1)
        return inputError("has several columns of labels: " + listed(header), name,
                          "name one of them (dataset.params.columns, or --column), or set task to multi-label");
    return columns;
}

Result<void> readCells(const std::vector<CsvCell>& record, const Columns& columns, const LabelOptions& options,
                       const CsvReader& reader, const LabelTable& table, PictureLabel& row) {
    for (std::size_t i = 0; i < columns.labels.size(); ++i) {
        const std::string& cell = record[columns.labels[i]].text;
        const std::string where = reader.position(columns.labels[i] + 1);
        if (options.use == LabelUse::Numbers) {
            TY_ASSIGN(const float number, numberOf(cell, where));
            row.numbers.push_back(number);
        } else if (columns.flags) {
            if (cell != "0" && cell != "1" && cell != "0.0" && cell != "1.0")
                return inputError("\"" + printable(cell, 40) + "\" is neither 0 nor 1", where,
                                  "correct it, or name the columns of the labels: dataset.params.columns, or --column");
            if (cell[0] == '1') row.words.push_back(table.classes[i]);
        } else if (options.use == LabelUse::Several) {
            row.words = wordsOf(cell);
        } else if (cell.empty()) {
            return inputError("has no label", where, "write one, or remove the line");
        } else {
            row.words.push_back(cell);
        }
    }
    return {};
}

} // namespace

Result<LabelTable> labelsOfTable(CsvReader reader, const std::string& name, const LabelOptions& options) {
    LabelTable table;
    table.name = name;
    std::vector<CsvCell> record;
    TY_ASSIGN(bool more, reader.next(record));
    if (!more) return inputError("is empty", name, "write a file and its label in each line");
    const std::vector<std::string> header = namesOf(record);
    TY_ASSIGN(const Columns columns, columnsOf(header, options, name));
    for (const std::size_t column : columns.labels) {
        const std::string title = columns.header ? header[column] : "label";
        if (options.use == LabelUse::Numbers) table.columns.push_back(title);
        if (columns.flags) table.classes.push_back(title);
    }
    if (columns.header) { TY_ASSIGN(more, reader.next(record)); }
    while (more) {
        if (record.size() < columns.most())
            return inputError("has " + std::to_string(record.size()) + " cells, and the first line has " +
                                  std::to_string(header.size()),
                              reader.position(), "complete the line or remove it");
        PictureLabel row{
            .file = record[columns.file].text, .words = {}, .numbers = {}, .part = {}, .line = reader.line()};
        if (row.file.empty()) return inputError("names no file", reader.position(), "write one, or remove the line");
        if (columns.part) row.part = record[*columns.part].text;
        if (columns.group) row.group = record[*columns.group].text;
        if (columns.group && row.group.empty())
            return inputError("has no group", reader.position(*columns.group + 1),
                              "write one, or set dataset.params.groupColumn to \"\"");
        TY_TRY(readCells(record, columns, options, reader, table, row));
        table.rows.push_back(std::move(row));
        TY_TRY(checkRows(table));
        TY_ASSIGN(more, reader.next(record));
    }
    if (table.rows.empty())
        return inputError("has a header and no line below it", name, "write a file and its label in each line");
    return table;
}

} // namespace trainyard::formats
