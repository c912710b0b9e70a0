// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of a table are learned from, which is predicted, and what is said about it.
#pragma once

#include "engine/formats/table.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/base/served_tasks.h"
#include "engine/torch/base/table_layout.h"
#include "engine/torch/data/split.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::data {

struct Roles {
    std::vector<std::size_t> features, targets, ignored; // columns of the table
    std::optional<std::size_t> group;                    // says which rows belong together
};

// As the parameters "target", "ignore" and "groupColumn" name them: by name, by number (1, or #1 where a column is
// called so) or, where that could be a number, by name in quotes. Without a target: the last column that has a name,
// tells no groups and is not left out. Input: no such column, one named twice, nothing to learn from.
Result<Roles> rolesOf(const formats::Table& table, const train::Arguments& arguments, train::TaskKind task);

// How the parameters have a table read: of its columns features, targets and groups alone. `roles` is told while the
// table is read, and outlives the reading, as the arguments do.
formats::TableOptions tableOptions(const train::Arguments& arguments, train::TaskKind task, Roles& roles);

// How rows become features, but for what stands in the place of missing numbers. Input, with the column's place: words
// that may not be features, or too many different ones.
train::TableLayout layoutOf(const formats::Table& table, const Roles& roles);
Result<void> checkFeatures(const formats::Table& table, const Roles& roles, const train::TableLayout& layout,
                           bool oneHot);
std::vector<std::string> featureNames(const train::TableLayout& layout);

// The classes of a target that is numbers: 0 to `classes` - 1, or each different number one.
class NumberedClasses {
public:
    explicit NumberedClasses(std::int64_t classes);
    // Input, with the place: a number that is no class, or too many different ones.
    Result<void> add(const formats::Table& table, std::size_t target);
    std::vector<std::string> names(); // in order, once all rows were added
    std::int64_t place(double label) const { return m_places.at(static_cast<std::int64_t>(label)); }

private:
    std::int64_t m_classes;
    std::map<std::int64_t, std::int64_t> m_places; // of each label
};
// Input: `classes` are asked for (0: any number), and the words of the target are more or fewer.
Result<void> checkClassWords(const formats::Column& column, std::int64_t classes);

// What the parameters say of the parts, without groups. Another file for validation takes the place of a share. Input:
// it is named beside folds.
Result<Shares> sharesOfTable(const train::Arguments& arguments, const spec::DataRules& rules);

// What a person should know of how a table was read: the target, the columns and rows that were left out, cells that
// were filled in, numbers that are not written plainly, words that look like something else, columns that count the
// rows. Sentences without a full stop.
std::vector<std::string> tableNotes(const formats::Table& table, const Roles& roles, const train::TableLayout& layout,
                                    std::int64_t classes);
// Of these the sentence about missing cells; empty: there are none. `rows`: that are not left out.
std::string missingNote(const formats::Table& table, const Roles& roles, const train::TableLayout& layout,
                        std::int64_t rows);

std::string quotedName(const std::string& name); // of a column, for a sentence
// The names of a table's columns, for a remedy.
std::string columnList(const formats::Table& table);
Error noFeature(const std::string& file);

} // namespace trainyard::data
