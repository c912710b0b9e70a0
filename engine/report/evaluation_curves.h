// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation.h"

#include <vector>

namespace trainyard::report {

// A point of a curve that is drawn of an evaluation.
struct EvaluationPoint {
    double x = 0, y = 0;
    bool operator==(const EvaluationPoint&) const = default;
};

// Rule: which curves an evaluation has.
// Share of the class's samples found (y) over the share of all others that are taken for it (x), both growing; none
// where the evaluation tells none.
std::vector<EvaluationPoint> rocOf(const run::ClassScore& score);
// Precision (y) over recall (x) at the same places, from the class's number of samples and `samples` in all; none where
// all or none of them are of the class.
std::vector<EvaluationPoint> precisionOf(const run::ClassScore& score, double samples);
// The samples of an evaluation with classes or labels.
double samplesOf(const run::Evaluation& evaluation);

} // namespace trainyard::report
