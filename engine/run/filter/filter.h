// SPDX-License-Identifier: GPL-3.0-or-later
// The language in which runs are looked for, in the window and in the terminal:
//   lr<0.1 and (tag:resnet or val/accuracy.last>0.9) and not status:failed
// A name is a setting of the run file (its last word is enough), a series (its best value, or .best, .last, .min, .max
// of it), or one of kFilterWords. A word without a sign is looked for in name, status, model, dataset, tags and notes.
// Terms beside one another are joined by "and". Numbers may have a decimal comma ("0,05"), unless it could be one of
// thousands ("1,234"). A number with decimals and four digits or more equals every number that rounds to it.
#pragma once

#include "engine/run/filter/run_facts.h"

#include <array>
#include <functional>
#include <optional>
#include <set>

namespace trainyard::run {

// What every run has beside its settings and series.
inline constexpr std::array kFilterWords = {"name", "status", "tag",   "notes",  "epoch",
                                            "step", "time",   "trial", "workers"};

// An error in a filter: its place, and a remedy.
struct FilterProblem {
    std::string message, remedy;
    std::size_t position = 0, length = 0; // of the part that is wrong, in bytes
    Error error(const std::string& where) const;
};

// The names that the runs of a list have, and words to choose from.
struct FilterNames {
    std::set<std::string> settings, series, tags; // settings: paths
    void add(const store::RunRow& row);           // its settings and tags
};

// What a term says of its name.
enum class FilterSign { Word, Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, Between };
// A comparison, or a word that is looked for.
struct FilterTerm {
    FilterSign sign = FilterSign::Word;
    FilterName name;
    std::string text;             // compared with, or looked for
    std::optional<double> number; // the text as a number; of Between: the lower end
    double high = 0;              // of Between: the upper end
    std::size_t position = 0;     // of the name
    double slack = 0;             // how far equal numbers may differ
};

// A part of a filter.
struct FilterNode {
    enum class Kind { Term, Not, And, Or } kind = Kind::And;
    FilterTerm term{};
    std::vector<FilterNode> parts{};
};

// Rule: which runs a filter finds, and what it refuses.
class Filter {
public:
    Filter() = default;
    explicit Filter(std::string_view text);

    bool empty() const { return m_root.parts.empty(); }
    // Nothing if the text is a valid filter. An invalid one matches every run.
    const std::optional<FilterProblem>& problem() const { return m_problem; }
    bool matches(const RunFacts& run) const;
    // The first name that no run has, with the nearest known one.
    std::optional<FilterProblem> unknownName(const FilterNames& names) const;

private:
    FilterNode m_root; // And of one part, or of none
    std::optional<FilterProblem> m_problem;
};

// Completions at the cursor: `words` may replace the text from `from` to the cursor.
struct FilterCompletion {
    std::size_t from = 0;
    std::vector<std::string> words;
};
// The values that runs have in the settings of a name.
using FilterValues = std::function<std::vector<std::string>(const FilterName& name)>;
// Names, the signs that may follow a complete one, and after a sign values.
FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const FilterNames& names,
                                const FilterValues& values = {});

} // namespace trainyard::run
