// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/tables/validation_table.h"

#include "engine/base/math/sha256.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/torch/data/table_features.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>

namespace trainyard::data {

using formats::Column;
using formats::ColumnRule;
using formats::Table;

namespace {

// Reads the columns of a table that stand for those of another one.
class LikeTable {
public:
    LikeTable(const Table& training, const Roles& roles) : m_training(training), m_roles(roles) {}

    Result<Table> read(const std::string& file, const train::Arguments& arguments, train::TaskKind task) {
        Roles none;
        formats::TableOptions options = tableOptions(arguments, task, none);
        options.header = m_training.hasHeader ? formats::Header::Yes : formats::Header::No;
        options.likelyDecimal = m_training.decimal;
        options.rules = [this](const Table& table) { return rulesFor(table); };
        TY_ASSIGN(Table table, formats::readTable(file, options));
        TY_TRY(checkUnits(table));
        return table;
    }
    const Roles& found() const { return m_found; } // where its features, targets and groups stand

private:
    Result<std::size_t> placeOf(const Table& table, std::size_t wanted) const {
        if (!m_training.hasHeader) {
            if (table.columns.size() == m_training.columns.size()) return wanted;
            return inputError("has " + std::to_string(table.columns.size()) + " columns, and " + m_training.file +
                                  " has " + std::to_string(m_training.columns.size()),
                              table.file, "give it the same columns, or give both files a header");
        }
        const std::string& name = m_training.columns[wanted].name;
        std::vector<std::string> others; // that stand for no column of the other table
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const std::string& found = table.columns[i].name;
            if (found == name) return i;
            const bool known = std::any_of(m_training.columns.begin(), m_training.columns.end(),
                                           [&](const Column& column) { return column.name == found; });
            if (!known) others.push_back(found);
        }
        const std::string near = nearestWord(name, others);
        return inputError("has no column " + quotedName(name) + ", which " + m_training.file + " has", table.file,
                          (near.empty() ? "" : "rename " + quotedName(near) + " to it, if it is that column; ") +
                              "its columns: " + columnList(table));
    }

    Result<std::vector<ColumnRule>> rulesFor(const Table& table) {
        m_found = {};
        std::vector<ColumnRule> rules(table.columns.size(), {.isRead = false});
        const auto kindOf = [&](std::size_t column) {
            const Column& known = m_training.columns[column];
            return known.isWords   ? ColumnRule::Kind::Words
                   : known.isDates ? ColumnRule::Kind::Dates
                                   : ColumnRule::Kind::Numbers;
        };
        for (const std::size_t feature : m_roles.features) {
            TY_ASSIGN(const std::size_t place, placeOf(table, feature));
            m_found.features.push_back(place);
            rules[place] = {.kind = kindOf(feature)};
        }
        for (const std::size_t target : m_roles.targets) {
            TY_ASSIGN(const std::size_t place, placeOf(table, target));
            m_found.targets.push_back(place);
            rules[place] = {.mustBeThere = true, .kind = kindOf(target)};
        }
        if (!m_roles.group) return rules;
        TY_ASSIGN(m_found.group, placeOf(table, *m_roles.group));
        rules[*m_found.group] = {.mustBeThere = true, .mayBeMany = true, .kind = ColumnRule::Kind::Words};
        return rules;
    }

    Result<void> checkUnits(const Table& table) const {
        const auto inUnit = [](const std::string& unit) {
            return unit.empty() ? std::string("no unit") : "the unit " + quotedName(unit);
        };
        const auto check = [&](std::size_t here, std::size_t there) -> Result<void> {
            const std::string &found = table.columns[here].unit, &wanted = m_training.columns[there].unit;
            if (found == wanted) return {};
            return inputError("the numbers have " + inUnit(found) + ", and those of " + m_training.file + " have " +
                                  inUnit(wanted),
                              table.position(0, here), "write them in the same unit");
        };
        for (std::size_t f = 0; f < m_roles.features.size(); ++f)
            TY_TRY(check(m_found.features[f], m_roles.features[f]));
        for (std::size_t t = 0; t < m_roles.targets.size(); ++t) TY_TRY(check(m_found.targets[t], m_roles.targets[t]));
        return {};
    }

    const Table& m_training;
    const Roles& m_roles;
    Roles m_found;
};

// Classes by the names that the training rows have given them.
Result<torch::Tensor> classesLike(const Table& table, std::size_t target, const Table& training,
                                  const std::vector<std::string>& names) {
    const Column& column = table.columns[target];
    std::vector<std::int64_t> labels;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        const auto index = static_cast<std::size_t>(row);
        const std::string name = column.isWords ? column.vocabulary[static_cast<std::size_t>(column.words[index])]
                                                : spec::toText(column.numbers[index]);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            const std::string near = nearestWord(name, names);
            return inputError("\"" + printable(name, 60) + "\" is a class of no row of " + training.file,
                              table.position(row, target),
                              near.empty() ? "correct it, or add such rows to train on"
                                           : "did you mean \"" + printable(near, 60) + "\"?");
        }
        labels.push_back(found - names.begin());
    }
    return torch::tensor(labels, torch::kInt64);
}

Result<torch::Tensor> numbersLike(const Table& table, const std::vector<std::size_t>& targets, bool labels) {
    std::vector<torch::Tensor> columns;
    for (const std::size_t target : targets) {
        const std::vector<double>& numbers = table.columns[target].numbers;
        for (std::size_t row = 0; labels && row < numbers.size(); ++row)
            if (numbers[row] != 0 && numbers[row] != 1)
                return inputError("a label is 1 or 0, and this is " + spec::toText(numbers[row]),
                                  table.position(static_cast<std::int64_t>(row), target), "correct it");
        columns.push_back(torch::tensor(numbers, torch::kFloat64));
    }
    const torch::Tensor all = torch::stack(columns, 1);
    return labels ? all.to(torch::kFloat32) : all;
}

Result<void> checkGroupsApart(const Table& table, std::size_t group, const Table& training, std::size_t ofTraining) {
    const auto& known = training.columns[ofTraining].vocabulary;
    const std::unordered_set<std::string> trained(known.begin(), known.end());
    const Column& column = table.columns[group];
    for (std::size_t row = 0; row < column.words.size(); ++row) {
        const std::string& name = column.vocabulary[static_cast<std::size_t>(column.words[row])];
        if (!trained.contains(name)) continue;
        return inputError("the group \"" + printable(name, 60) + "\" has rows in " + training.file + ", too",
                          table.position(static_cast<std::int64_t>(row), group),
                          "put its rows into one of the files, or set dataset.params.groupColumn to \"\"");
    }
    return {};
}

} // namespace

Result<Split> readValidationTable(const std::string& file, const train::Arguments& arguments, const Table& training,
                                  const Roles& roles, Dataset& dataset) {
    LikeTable like(training, roles);
    TY_ASSIGN(const Table table, like.read(file, arguments, dataset.task));
    const Roles& found = like.found();
    if (found.group) TY_TRY(checkGroupsApart(table, *found.group, training, *roles.group));
    Split split;
    TY_ASSIGN(split.inputs, encoded(table, found.features, dataset.table, Gaps::Fill));
    if (dataset.task == train::TaskKind::Classification) {
        TY_ASSIGN(split.targets, classesLike(table, found.targets.front(), training, dataset.classNames));
    } else {
        const bool labels = dataset.task == train::TaskKind::MultiLabel;
        TY_ASSIGN(split.targets, numbersLike(table, found.targets, labels));
    }
    dataset.notes.push_back(
        "validates on " + std::to_string(table.rows()) + " rows of " + file +
        (table.leftOut == 0 ? ""
                            : "; left out " + std::to_string(table.leftOut) + " of its rows, since a cell is missing"));
    return split;
}

Result<std::string> digestOfTables(const std::string& training, const std::string& validation) {
    TY_ASSIGN(const std::string first, sha256HexOf(training));
    TY_ASSIGN(const std::string second, sha256HexOf(validation));
    if (first == second)
        return inputError("holds the same as " + training + ", so that a run would validate on what it trains on",
                          validation, "name another file in dataset.params.validationFile, or set it to \"\"");
    const std::string both = first + second;
    return sha256Hex(std::as_bytes(std::span(both.data(), both.size())));
}

} // namespace trainyard::data
