// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of other programs' records give: values, without the store.
#pragma once

#include "engine/imports/json_values.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard::imports {

// One value of a series.
struct Point {
    std::int64_t step = 0;
    double wallSeconds = 0; // since 1970, or since its start where the source has no more; 0: unknown
    double value = 0;
    double epoch = 0;      // 0: unknown
    std::int64_t row = -1; // of the table that it stands in; -1: it stands in none
};

// A record that was left out.
struct Skipped {
    std::string where, message, remedy;
};

using Setting = std::variant<double, bool, std::string>;

// A series whose points shared their steps, and were numbered by their order instead.
struct Numbered {
    std::string series;
    std::int64_t points = 0, steps = 0; // steps: different ones
    bool byRows = false;                // numbered by the rows of the table; else in the order of their times
};

// A value of a configuration in JSON; a list as its text. Nothing for null.
std::optional<Setting> settingOf(const JsonValue& value);
// A value that was written as text: a number, True or False as Python writes them, else the text.
Setting settingOf(std::string_view text);

// A run as its source has it.
class ImportedRun {
public:
    ImportedRun() = default;
    ImportedRun(ImportedRun&&) = default; // not copied: it may be large, and m_byName points into it
    ImportedRun& operator=(ImportedRun&&) = default;

    std::map<std::string, std::vector<Point>> series; // in each, the steps grow once it is settled
    // What its computer was busy with, by the names of its source. Measured by the clock: several points may have one
    // step, that of the training then.
    std::map<std::string, std::vector<Point>> system{};
    std::vector<std::pair<std::string, Setting>> settings; // hyperparameters, each name once
    std::string name{};                                    // what its source calls it; empty: nothing
    std::string notes{};
    double startedSeconds = 0; // since 1970; 0: unknown
    enum class Ending { Finished, Failed, Stopped } ending = Ending::Finished;
    std::int64_t otherValues = 0; // histograms, pictures, text: what is no scalar
    std::int64_t repeated = 0;    // points that a later one at their step, or before it, has replaced
    std::vector<Numbered> numbered{};
    bool rowsAreSteps = false; // the steps of the table do not tell its rows apart
    std::int64_t skippedCount = 0;
    std::vector<Skipped> skipped{}; // the first kMostNamed of them
    static constexpr std::size_t kMostNamed = 20;

    // Where points go of a source that is still written: in the order in which it has them, under printable names. They
    // are not kept, nor are those of the computer. A table whose steps do not tell its rows apart is numbered by them.
    struct Passing {
        std::function<void(const std::string& series, const Point& point)> point;
        std::function<void(std::int64_t step)> voidFrom; // the source says that it begins again there
    };
    void passOn(Passing passing) { m_passing = std::move(passing); }

    // Appends to the series of that name, made printable. A point that goes back to an earlier step repeats those from
    // there on: they go, and are counted. One at the step of the last one stays beside it until settle().
    void add(std::string_view tag, const Point& point);
    void voidFrom(std::int64_t step); // in every series
    // Appends to the system series of that name, made printable; not at an earlier step than its last point.
    void addSystem(std::string_view tag, Point point);
    void skip(Skipped record);
    void set(const std::string& key, Setting setting); // of a key that is set already: anew
    // After the last point. A series with at least twice as many points as steps was written without steps: its points
    // are numbered, by the rows of their table (then those of every series) or else by their order. Elsewhere the last
    // point of a step counts, and the others are counted. Series without points go.
    void settle();

private:
    void drop(std::vector<Point>& points, std::int64_t step);
    void pass(std::string_view tag, Point point);

    std::optional<Passing> m_passing{};
    std::map<std::string, std::string, std::less<>> m_printable{};    // names of points that are passed on
    std::map<std::string, std::vector<Point>*, std::less<>> m_byName; // as the source writes it
};

} // namespace trainyard::imports
