// SPDX-License-Identifier: GPL-3.0-or-later
// Which of two values of a series is the better one: the one rule of everything that ranks, marks or stops by a series.
#pragma once

#include <optional>
#include <string_view>

namespace trainyard::spec {

enum class Better { Smaller, Larger };

// What the words of a series' name say: of losses, errors, perplexities, times and norms the smaller value is better
// ("train/loss", "val/mae", "time/step"), of accuracies and other shares of what is right the larger one. Nothing for
// names that say neither.
std::optional<Better> betterByName(std::string_view series);
// Rule: whether more or less of a series is better.
// `mode` is the word of a run or sweep file. Without "min" or "max" there, the name of the series tells, and of names
// that say nothing the larger value is better.
Better betterOf(std::string_view series, std::string_view mode = {});
const char* toString(Better better); // "min", "max": the word of the files

// By how much `value` is better than `than`: negative when it is worse, NaN when either is.
double gain(Better better, double value, double than);
// Rule: which of two values is better.
// A value that is not finite is never better; a finite one is better than one that is not.
bool isBetter(Better better, double value, double than);

} // namespace trainyard::spec
