// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/tables/table_converter.h"

#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace trainyard::data {

using formats::Table;
using nlohmann::json;

namespace {

constexpr std::int64_t kPieceBytes = std::int64_t{16} << 20; // of a table while it is converted

// Of the file as it is now, and of all that decides about what is kept of it.
std::string digestOfSource(const TableSource& source) {
    std::string text = std::string("table 1 ") + toString(source.task) + '\0' + stampOfFile(source.file) + '\0';
    for (const char* name :
         {"target", "ignore", "groupColumn", "header", "separator", "decimal", "missing", "dates", "words"})
        text += source.arguments.text(name) + '\0';
    text += std::to_string(source.arguments.integer("classes"));
    return sha256Hex(std::as_bytes(std::span(text.data(), text.size())));
}

// Reads the table into a kept one.
class TableConverter {
public:
    explicit TableConverter(const TableSource& source)
        : m_source(source), m_numbered(source.arguments.integer("classes")) {}

    Result<void> convert(const std::string& digest, TableWriter& writer) {
        Roles asked; // told anew at each reading
        const auto options = tableOptions(m_source.arguments, m_source.task, asked);
        TY_ASSIGN(const formats::TableOutline outline, formats::outlineTable(m_source.file, options));
        const Table& table = outline.table;
        m_roles = asked;
        std::erase_if(m_roles.features, [&](std::size_t i) { return !table.columns[i].isRead; });
        if (m_roles.features.empty()) return noFeature(m_source.file);
        const train::TableLayout layout = layoutOf(table, m_roles);
        TY_TRY(checkFeatures(table, m_roles, layout, m_source.arguments.text("words") == "one-hot"));
        TY_TRY(checkTargets(table));
        std::vector<bool> floats;
        for (const std::size_t i : m_roles.features) floats.push_back(table.columns[i].fitsFloats);
        const RowForm form(layout, floats);
        TY_TRY(writer.begin({.rows = outline.rows,
                             .rowBytes = form.bytes(),
                             .targets = static_cast<std::int64_t>(m_roles.targets.size()),
                             .groups = m_roles.group.has_value()}));
        const auto cells = static_cast<std::int64_t>(table.columns.size());
        const std::int64_t rows = std::clamp<std::int64_t>(kPieceBytes / (8 * cells), 1, 1 << 16);
        TY_TRY(formats::eachPiece(m_source.file, options, outline, rows,
                                  [&](const Table& piece) { return add(piece, table, form, writer); }));
        TY_ASSIGN(const std::string content, sha256HexOf(m_source.file));
        return writer.finish(digest, factsOf(outline, layout, floats, content));
    }

private:
    Result<void> checkTargets(const Table& table) const {
        for (const std::size_t target : m_roles.targets) {
            const formats::Column& column = table.columns[target];
            if (m_source.classes() && column.isWords)
                TY_TRY(checkClassWords(column, m_source.arguments.integer("classes")));
            if (!m_source.classes() && column.isWords)
                return inputError("the target has words in it, and " + std::string(toString(m_source.task)) +
                                      " needs numbers",
                                  table.position(0, target), "choose another target, or set task to classification");
        }
        return {};
    }

    Result<void> add(const Table& piece, const Table& outline, const RowForm& form, TableWriter& writer) {
        const auto count = static_cast<std::size_t>(piece.rows());
        m_rows.resize(count * static_cast<std::size_t>(form.bytes()));
        TY_TRY(form.write(piece, m_roles.features, m_rows.data()));
        m_targets.resize(count * m_roles.targets.size());
        for (std::size_t t = 0; t < m_roles.targets.size(); ++t) TY_TRY(addTarget(piece, outline, t));
        if (m_roles.group) {
            const auto& words = piece.columns[*m_roles.group].words;
            m_groups.assign(words.begin(), words.end());
        }
        return writer.add(m_rows, m_targets, m_groups);
    }

    // Classes that are words by their places among the sorted ones; all else as it is read.
    Result<void> addTarget(const Table& piece, const Table& outline, std::size_t t) {
        const std::size_t target = m_roles.targets[t], several = m_roles.targets.size();
        const formats::Column& column = piece.columns[target];
        if (m_source.classes() && !column.isWords) TY_TRY(m_numbered.add(piece, target));
        const auto& sorted = outline.columns[target].vocabulary;
        std::vector<double> places;
        for (const std::string& word : column.vocabulary)
            places.push_back(
                static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), word) - sorted.begin()));
        for (std::size_t row = 0; row < static_cast<std::size_t>(piece.rows()); ++row) {
            const double value =
                column.isWords ? places[static_cast<std::size_t>(column.words[row])] : column.numbers[row];
            if (m_source.task == train::TaskKind::MultiLabel && value != 0 && value != 1)
                return inputError("a label is 1 or 0, and this is " + spec::toText(value),
                                  piece.position(static_cast<std::int64_t>(row), target),
                                  "name columns of 1 and 0 in dataset.params.target, or set task to regression");
            m_targets[row * several + t] = value;
        }
        return {};
    }

    std::string factsOf(const formats::TableOutline& outline, const train::TableLayout& layout,
                        const std::vector<bool>& floats, const std::string& content) {
        const Table& table = outline.table;
        std::vector<std::string> classNames;
        std::vector<double> labels; // of numbered classes
        const formats::Column& first = table.columns[m_roles.targets.front()];
        if (!m_source.classes()) {
            for (const std::size_t target : m_roles.targets) classNames.push_back(table.columns[target].name);
        } else if (first.isWords) {
            classNames = first.vocabulary;
        } else {
            classNames = m_numbered.names();
            for (const std::string& name : classNames) labels.push_back(std::stod(name));
        }
        Table whole = table; // without what is missing, of which the fill values tell
        json columns = json::array();
        for (formats::Column& column : whole.columns) {
            columns.push_back(
                {column.name, column.isRead ? column.missing : 0, column.isWords, column.isDates, column.unit});
            column.missing = 0;
        }
        whole.leftOut = 0;
        const auto classes = m_source.classes() ? static_cast<std::int64_t>(classNames.size()) : 0;
        const json facts{{"layout", train::toJson(layout)},
                         {"floats", floats},
                         {"features", m_roles.features},
                         {"targets", m_roles.targets},
                         {"groups", m_roles.group.has_value()},
                         {"classNames", classNames},
                         {"labels", labels},
                         {"notes", tableNotes(whole, m_roles, layout, classes)},
                         {"columns", columns},
                         {"leftOut", table.leftOut},
                         {"sha256", content}};
        return jsonText(facts);
    }

    const TableSource& m_source;
    Roles m_roles;
    NumberedClasses m_numbered;
    std::vector<std::byte> m_rows;
    std::vector<double> m_targets;
    std::vector<std::int64_t> m_groups;
};

} // namespace

bool isConverted(const TableSource& source) {
    return KeptTable::open(digestOfSource(source), usualStore("tables")) != nullptr;
}

Result<ConvertedTable> converted(const TableSource& source) {
    const std::string digest = digestOfSource(source);
    const KeptStore store = usualStore("tables");
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(source.file, ignored);
    TableConverter converter(source);
    TY_ASSIGN(auto rows, KeptTable::make(digest, store, ignored ? 0 : static_cast<std::int64_t>(bytes),
                                         [&](TableWriter& writer) { return converter.convert(digest, writer); }));
    ConvertedTable table;
    table.rows = std::move(rows);
    const json facts = parseJson(table.rows->facts()); // which its checksum vouches for
    table.layout = train::tableLayoutFrom(facts["layout"]);
    table.rows->setForm(RowForm(table.layout, facts["floats"].get<std::vector<bool>>()));
    table.classNames = facts["classNames"].get<std::vector<std::string>>();
    table.notes = facts["notes"].get<std::vector<std::string>>();
    table.content = facts["sha256"].get<std::string>();
    const auto labels = facts["labels"].get<std::vector<double>>();
    for (std::size_t i = 0; i < labels.size(); ++i)
        table.placeOfLabel[static_cast<std::int64_t>(labels[i])] = static_cast<std::int64_t>(i);
    table.roles.features = facts["features"].get<std::vector<std::size_t>>();
    table.roles.targets = facts["targets"].get<std::vector<std::size_t>>();
    if (facts["groups"].get<bool>()) table.roles.group = 0;
    table.columns.leftOut = facts["leftOut"].get<std::int64_t>();
    table.columns.file = source.file;
    table.columns.hasHeader = table.layout.hasHeader;
    table.columns.decimal = table.layout.decimal;
    for (const json& each : facts["columns"]) {
        formats::Column& column = table.columns.columns.emplace_back();
        column.name = each[0].get<std::string>();
        column.missing = each[1].get<std::int64_t>();
        column.isWords = each[2].get<bool>();
        column.isDates = each[3].get<bool>();
        column.unit = each[4].get<std::string>();
    }
    TY_TRY(table.rows->checkTargets());
    return table;
}

} // namespace trainyard::data
