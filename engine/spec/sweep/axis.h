// SPDX-License-Identifier: GPL-3.0-or-later
// One field that a sweep varies, and where its values lie on the unit interval.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/values/params.h"

#include <span>

namespace trainyard::spec {

// An axis counts only where another one has one of these values.
struct Condition {
    std::string path;
    std::vector<Value> values;
    bool operator==(const Condition&) const = default;
};

// The values one field takes: a list (`values`), a range from `from` to `to`, or a normal distribution cut at the two.
struct Axis {
    std::string path; // "optimizer.lr"
    std::vector<Value> values{};
    double from = 0, to = 0;
    bool logScale = false;
    int count = 0;           // of a range in a grid: its points from end to end; 0: it is not for a grid
    bool whole = false;      // whole numbers only; so by themselves are fields of the run file that hold one
    double step = 0;         // of a range: from, from + step, … to; 0: everything between
    double mean = 0, sd = 0; // sd > 0: a normal distribution
    bool everyValue = false; // of a list: the whole search is made for each of them, as Tune's grid_search has it
    std::vector<Condition> when{};
    // Of a list: what stands in the run file for values that are only names of it, as JSON objects.
    std::map<std::string, std::string> objects{};
    bool operator==(const Axis&) const = default;
    bool isList() const { return !values.empty(); }
    // Whether it has points for a grid.
    bool isListed() const { return isList() || count > 0 || (step > 0 && !logScale && sd == 0); }
};

// Into how many equal parts of the unit interval its values fall; 0: any number between 0 and 1 is a value of its own.
int cellsOf(const Axis& axis);
// The value at a place of the unit interval, 0 to 1; both ends of a range are exact.
Value valueAt(const Axis& axis, double place);
// The place of a value: the middle of its part where there are parts. Of a value that it does not take: the nearest.
double placeOf(const Axis& axis, const Value& value);
// Its points in a grid: the values of a list, the `count` points of a range, or those of a range with steps.
std::vector<Value> gridValues(const Axis& axis);

// The axis of a field; null when the space has none.
const Axis* findAxis(std::span<const Axis> space, const std::string& path);
// Whether the axis counts beside these values of the others.
bool isActive(const Axis& axis, const Params& params);
// The parameters without those whose axis does not count, whatever the order of the axes.
Params activeParams(std::span<const Axis> space, Params params);

// What is wrong with a space: an axis without values, ends the wrong way round, a step that does not fit, a condition
// that cannot hold. Input, with the path, the value that was found and a remedy.
Result<void> checkSpace(std::span<const Axis> space);

} // namespace trainyard::spec
