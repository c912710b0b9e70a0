// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a sweep as people type them.
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// The values that an argument takes in a sweep: a list, or a range.
struct AxisWords {
    std::vector<std::string> values{};
    double from = 0, to = 0, step = 0; // step 0: everything between
    int count = 0;                     // points of a grid; 0: it is not for a grid
    bool logScale = false, whole = false;
};

// Rule: which typed values vary in a sweep.
// "64,128" is a list; "0.0001..0.1" a range, with "log", "int", "step 0.1" and "count 5" behind it, between spaces.
// Nothing: a plain value. Input, with the word and a remedy: a range whose ends or words make no sense.
Result<std::optional<AxisWords>> axisWords(const std::string& value, const std::string& name);

} // namespace trainyard::program
