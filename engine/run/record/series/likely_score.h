// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::run {

// Rule: by which of its series a program is compared where nobody has said it.
// A measure on data that it does not train on comes before one on its training data, and of those one where more is
// better ("val/accuracy") before a loss. Of several the one with the shortest name: "accuracy" before "accuracy_top5".
// Empty: no name says that it is a measure.
std::string likelyScore(const std::vector<std::string>& series);

} // namespace trainyard::run
