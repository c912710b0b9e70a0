// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/tables/table_roles.h"

#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace trainyard::data {

using formats::Column;
using formats::Table;

namespace {

constexpr std::size_t kListed = 300, kNotes = 12; // bytes of a list of names; sentences
constexpr std::size_t kMaxClasses = 1000, kMaxOneHot = 100;

bool holds(const std::vector<std::size_t>& list, std::size_t column) {
    return std::find(list.begin(), list.end(), column) != list.end();
}

template <class NameOf>
std::string listed(std::size_t count, const NameOf& nameOf) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        if (line.size() > kListed) return line + " and " + std::to_string(count - i) + " more";
        line += (line.empty() ? "" : ", ") + nameOf(i);
    }
    return line;
}

std::string trimmed(std::string word) {
    word.erase(0, std::min(word.size(), word.find_first_not_of(' ')));
    while (!word.empty() && word.back() == ' ') word.pop_back();
    return word;
}

std::optional<std::size_t> columnNamed(const Table& table, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == name) return i;
    return std::nullopt;
}

std::optional<std::size_t> columnNumbered(const Table& table, std::string_view digits) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool whole = problem == std::errc() && end == digits.data() + digits.size();
    return whole && number >= 1 && number <= table.columns.size() ? std::optional(number - 1) : std::nullopt;
}

// The column that a word of such a list means, or none. Input: it is the name of one and the number of another.
Result<std::optional<std::size_t>> columnMeant(const Table& table, const std::string& word, const std::string& field,
                                               bool namesFirst) {
    if (word.size() > 2 && word.front() == '"' && word.back() == '"')
        if (const auto named = columnNamed(table, word.substr(1, word.size() - 2))) return named;
    const auto named = columnNamed(table, word);
    if (word.starts_with('#') && !named) return columnNumbered(table, std::string_view(word).substr(1));
    const auto numbered = columnNumbered(table, word);
    if (named && numbered && *named != *numbered && !namesFirst)
        return inputError(
            "\"" + word + "\" is the name of column " + std::to_string(*named + 1) + ", and the number of the column " +
                quotedName(table.columns[*numbered].name),
            field, "write \"#" + std::to_string(*named + 1) + "\" for the first, or \"#" + word + "\" for the other");
    return named ? named : numbered;
}

// The columns of a list. A name with a comma in it is found when it is the whole list.
Result<std::vector<std::size_t>> columnsOf(const Table& table, const train::Arguments& arguments, const char* param) {
    const std::string list = arguments.text(param), field = std::string("dataset.params.") + param;
    const bool namesFirst = arguments.text("header") == "yes";
    if (trimmed(list).empty()) return std::vector<std::size_t>{};
    TY_ASSIGN(const auto whole, columnMeant(table, trimmed(list), field, namesFirst));
    if (whole) return std::vector<std::size_t>{*whole};
    std::vector<std::size_t> found;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string word = trimmed(list.substr(begin, end - begin));
        TY_ASSIGN(const auto column, columnMeant(table, word, field, namesFirst));
        if (!column)
            return inputError(table.file + " has no column \"" + printable(word, 60) + "\"", field,
                              "its columns: " + columnList(table) + (table.hasHeader ? "" : "; it has no header"));
        if (holds(found, *column))
            return inputError("names the column \"" + printable(word, 60) + "\" twice", field, "name it once");
        found.push_back(*column);
        begin = end + 1;
    }
    return found;
}

// "predicts "label" (2 classes) from 2 columns: "a", "b""
std::string taskNote(const train::TableLayout& layout, std::int64_t classes) {
    const std::string targets =
        listed(layout.targets.size(), [&](std::size_t i) { return quotedName(layout.targets[i].name); });
    const std::size_t count = layout.features.size();
    return "predicts " + targets + (classes > 0 ? " (" + std::to_string(classes) + " classes)" : "") + " from " +
           std::to_string(count) + (count == 1 ? " column: " : " columns: ") +
           listed(count, [&](std::size_t i) { return quotedName(layout.features[i].name); });
}

std::string leftOutNote(const Table& table, const Roles& roles) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        if (column.isRead) continue;
        const char* why = holds(roles.ignored, i) ? "" : column.isEmpty ? " (empty)" : " (numbers the rows)";
        names.push_back(quotedName(column.name) + why);
    }
    return names.empty() ? "" : "left out columns: " + listed(names.size(), [&](std::size_t i) { return names[i]; });
}

std::string groupNote(const Table& table, const Roles& roles) {
    if (!roles.group) return {};
    const Column& column = table.columns[*roles.group];
    return "each of " + std::to_string(column.vocabulary.size()) + " groups of " + quotedName(column.name) +
           " is in one part";
}

std::string filledText(const Column& column, const train::TableLayout::Feature& feature) {
    return std::to_string(column.missing) + " of " + quotedName(column.name) + " by " +
           (feature.isWords     ? "the word " + quotedName(train::kMissingWord)
            : feature.isDates() ? "the median " + formats::isoTime(feature.fill.value_or(0))
                                : "the median " + spec::toText(feature.fill.value_or(0)));
}

// How a column was understood, where that may surprise; empty: plainly.
std::string columnNote(const Column& column, bool isFeature) {
    double number = 0;
    if (column.style != formats::NumberStyle::Plain &&
        formats::readingOf(column.example, number, column.style) == formats::Reading::Number)
        return quotedName(column.name) + " is read as numbers: \"" + printable(column.example, 40) + "\" is " +
               spec::toText(number);
    if (column.isDates && isFeature) {
        const auto parts = formats::partsOf(column.hasDate, column.hasTime);
        return quotedName(column.name) + (column.hasDate ? " is read as dates" : " is read as times") +
               ", with the features " + listed(parts.size(), [&](std::size_t i) { return parts[i]; });
    }
    if (!column.unit.empty()) return quotedName(column.name) + " is read as numbers in " + printable(column.unit, 20);
    if (!column.look.empty() && isFeature)
        return quotedName(column.name) + " is read as words, a feature for each, though each looks like " + column.look;
    if (column.countsRows && isFeature)
        return quotedName(column.name) +
               " counts the rows; leave it out if it says nothing of the target (dataset.params.ignore)";
    return {};
}

} // namespace

std::string columnList(const Table& table) {
    return listed(table.columns.size(), [&](std::size_t i) { return printable(table.columns[i].name, 40); });
}

std::string quotedName(const std::string& name) { return '"' + printable(name, 40) + '"'; }

Error noFeature(const std::string& file) {
    return inputError("has no column beside the target to learn from", file,
                      "add columns, or check dataset.params.separator");
}

Result<Roles> rolesOf(const Table& table, const train::Arguments& arguments, train::TaskKind task) {
    Roles roles;
    TY_ASSIGN(roles.targets, columnsOf(table, arguments, "target"));
    TY_ASSIGN(roles.ignored, columnsOf(table, arguments, "ignore"));
    TY_ASSIGN(const auto groups, columnsOf(table, arguments, "groupColumn"));
    if (groups.size() > 1)
        return inputError("names " + std::to_string(groups.size()) + " columns, and a group is told by one",
                          "dataset.params.groupColumn", "name one column");
    if (!groups.empty()) roles.group = groups.front();
    for (std::size_t i = table.columns.size(); i-- > 0 && roles.targets.empty();)
        if (!table.columns[i].isUnnamed && !holds(roles.ignored, i) && roles.group != i) roles.targets = {i};
    if (roles.targets.size() > 1 && task == train::TaskKind::Classification)
        return inputError("names " + std::to_string(roles.targets.size()) + " columns, and a class is one",
                          "dataset.params.target", "name one column, or set task to regression or multi-label");
    for (const std::size_t i : roles.targets)
        if (holds(roles.ignored, i))
            return inputError("names " + quotedName(table.columns[i].name) + ", which dataset.params.ignore leaves out",
                              "dataset.params.target", "choose another target, or remove it from there");
    if (roles.group && holds(roles.targets, *roles.group))
        return inputError("names the target " + quotedName(table.columns[*roles.group].name),
                          "dataset.params.groupColumn", "name a column that says which rows belong together");
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (!holds(roles.targets, i) && !holds(roles.ignored, i) && roles.group != i) roles.features.push_back(i);
    if (roles.features.empty() || roles.targets.empty()) return noFeature(table.file);
    return roles;
}

formats::TableOptions tableOptions(const train::Arguments& arguments, train::TaskKind task, Roles& roles) {
    static const std::map<std::string, char> kSeparators{
        {"auto", '\0'}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"bar", '|'}};
    static const std::map<std::string, formats::Header> kHeaders{
        {"auto", formats::Header::Auto}, {"yes", formats::Header::Yes}, {"no", formats::Header::No}};
    static const std::map<std::string, char> kDecimals{{"auto", '\0'}, {"point", '.'}, {"comma", ','}};
    static const std::map<std::string, formats::Missing> kMissing{
        {"refuse", formats::Missing::Refuse}, {"drop", formats::Missing::Drop}, {"fill", formats::Missing::Keep}};
    formats::TableOptions options{.separator = kSeparators.at(arguments.text("separator")),
                                  .header = kHeaders.at(arguments.text("header")),
                                  .decimal = kDecimals.at(arguments.text("decimal")),
                                  .missing = kMissing.at(arguments.text("missing"))};
    options.rules = [&arguments, &roles, task](const Table& table) -> Result<std::vector<formats::ColumnRule>> {
        TY_ASSIGN(roles, rolesOf(table, arguments, task));
        std::vector<formats::ColumnRule> rules(table.columns.size(), {.isRead = false});
        const bool dates = arguments.text("dates") == "parts";
        for (const std::size_t i : roles.features) rules[i] = {.mayBeDates = dates};
        for (const std::size_t i : roles.targets) rules[i] = {.mustBeThere = true};
        if (roles.group)
            rules[*roles.group] = {.mustBeThere = true, .mayBeMany = true, .kind = formats::ColumnRule::Kind::Words};
        return rules;
    };
    return options;
}

train::TableLayout layoutOf(const Table& table, const Roles& roles) {
    train::TableLayout layout{.columns = static_cast<std::int64_t>(table.columns.size()),
                              .hasHeader = table.hasHeader,
                              .decimal = table.decimal};
    for (const std::size_t i : roles.features) {
        const Column& column = table.columns[i];
        layout.features.push_back({.name = column.name,
                                   .column = static_cast<std::int64_t>(i) + 1,
                                   .isWords = column.isWords,
                                   .words = column.vocabulary,
                                   .unit = column.unit});
        if (column.isDates) layout.features.back().parts = formats::partsOf(column.hasDate, column.hasTime);
        auto& words = layout.features.back().words;
        const bool known = std::find(words.begin(), words.end(), train::kMissingWord) != words.end();
        if (column.isWords && column.hasGaps && !known) words.emplace_back(train::kMissingWord);
    }
    for (const std::size_t i : roles.targets)
        layout.targets.push_back({table.columns[i].name, static_cast<std::int64_t>(i) + 1});
    return layout;
}

Result<void> checkFeatures(const Table& table, const Roles& roles, const train::TableLayout& layout, bool oneHot) {
    for (std::size_t f = 0; f < roles.features.size(); ++f) {
        const auto& feature = layout.features[f];
        if (!feature.isWords || (oneHot && feature.words.size() <= kMaxOneHot)) continue;
        const Column& column = table.columns[roles.features[f]];
        const std::string look = column.look.empty() ? "" : ", each of them " + column.look;
        return inputError((oneHot
                               ? "the feature has " + std::to_string(feature.words.size()) +
                                     " different words, and at most " + std::to_string(kMaxOneHot) + " become features"
                               : "the feature has words in it") +
                              look,
                          table.position(0, roles.features[f]),
                          "leave the column out (dataset.params.ignore), or turn it into numbers")
            .withCode(ErrorCode::FieldInvalid);
    }
    return {};
}

std::vector<std::string> featureNames(const train::TableLayout& layout) {
    std::vector<std::string> names;
    for (const auto& feature : layout.features) {
        if (!feature.isWords && !feature.isDates()) names.push_back(feature.name);
        for (const std::string& part : feature.parts) names.push_back(feature.name + ": " + part);
        for (const std::string& word : feature.words) names.push_back(feature.name + " = " + word);
    }
    return names;
}

NumberedClasses::NumberedClasses(std::int64_t classes) : m_classes(classes) {
    for (std::int64_t k = 0; k < classes; ++k) m_places[k] = k;
}

Result<void> NumberedClasses::add(const Table& table, std::size_t target) {
    const Column& column = table.columns[target];
    for (std::size_t row = 0; row < column.numbers.size(); ++row) {
        const double label = column.numbers[row];
        const auto place = [&] { return table.position(static_cast<std::int64_t>(row), target); };
        if (std::nearbyint(label) != label || std::abs(label) > 1e15)
            return inputError(spec::toText(label) + " is not a class: a class is a word or a whole number", place(),
                              "choose another target, or set task to regression");
        const auto whole = static_cast<std::int64_t>(label);
        if (m_classes > 0 && !m_places.contains(whole))
            return inputError("label " + std::to_string(whole) + " is not one of the " + std::to_string(m_classes) +
                                  " classes, 0 to " + std::to_string(m_classes - 1),
                              place(), "correct the label or dataset.params.classes");
        m_places.try_emplace(whole, 0);
        if (m_places.size() > kMaxClasses)
            return inputError("the target has more than " + std::to_string(kMaxClasses) + " different numbers", place(),
                              "choose another target, or set task to regression");
    }
    return {};
}

std::vector<std::string> NumberedClasses::names() {
    std::vector<std::string> names;
    for (auto& [label, place] : m_places) {
        place = static_cast<std::int64_t>(names.size());
        names.push_back(std::to_string(label));
    }
    return names;
}

Result<void> checkClassWords(const Column& column, std::int64_t classes) {
    if (classes == 0 || classes == static_cast<std::int64_t>(column.vocabulary.size())) return {};
    return inputError(std::to_string(classes) + " classes are asked for, and column \"" + printable(column.name, 60) +
                          "\" has " + std::to_string(column.vocabulary.size()) + " different words",
                      "dataset.params.classes", "set it to 0 to take those found");
}

Result<Shares> sharesOfTable(const train::Arguments& arguments, const spec::DataRules& rules) {
    const bool another = !arguments.text("validationFile").empty();
    if (another && arguments.integer("folds") > 0)
        return inputError("is " + std::to_string(arguments.integer("folds")) +
                              ", and dataset.params.validationFile has the rows for validation",
                          "dataset.params.folds", "set it to 0, or dataset.params.validationFile to \"\"");
    return Shares{.validation = another ? 0 : arguments.number("validation"),
                  .test = arguments.number("test"),
                  .byClass = rules.dividesByClass(),
                  .folds = arguments.integer("folds"),
                  .fold = arguments.integer("fold")};
}

std::string missingNote(const Table& table, const Roles& roles, const train::TableLayout& layout,
                        std::int64_t rowsLeft) {
    const std::string rows =
        "left out " + std::to_string(table.leftOut) + " of " + std::to_string(table.leftOut + rowsLeft) + " rows";
    std::vector<std::string> filled;
    for (std::size_t f = 0; f < layout.features.size(); ++f) {
        const auto& feature = layout.features[f];
        const Column& column = table.columns[roles.features[f]];
        const bool word =
            std::find(feature.words.begin(), feature.words.end(), train::kMissingWord) != feature.words.end();
        if (column.missing > 0 && (feature.fill || word)) filled.push_back(filledText(column, feature));
    }
    if (filled.empty()) return table.leftOut == 0 ? "" : rows + " with missing cells: " + table.missingText();
    return "filled in missing cells: " + listed(filled.size(), [&](std::size_t i) { return filled[i]; }) +
           (table.leftOut == 0 ? ""
                               : "; " + rows + (roles.group ? " without a target or a group" : " without a target"));
}

std::vector<std::string> tableNotes(const Table& table, const Roles& roles, const train::TableLayout& layout,
                                    std::int64_t classes) {
    std::vector<std::string> notes{taskNote(layout, classes), leftOutNote(table, roles), groupNote(table, roles),
                                   missingNote(table, roles, layout, table.rows())};
    std::size_t more = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].isRead || roles.group == i) continue;
        std::string note = columnNote(table.columns[i], !holds(roles.targets, i));
        if (!note.empty() && notes.size() < kNotes) notes.push_back(std::move(note));
        else if (!note.empty()) ++more;
    }
    if (more > 0) notes.push_back("as much is to be said of " + std::to_string(more) + " more columns");
    std::erase(notes, std::string());
    return notes;
}

} // namespace trainyard::data
