// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples an evaluation names: those by which one sees what a model confuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::run {

// One sample of a part of the dataset, and what the model made of it. Which members count depends on the task.
struct Example {
    std::int64_t index = 0; // in its part, as in "data:validation/17"
    double loss = 0;        // of this sample alone, without label smoothing and class weights
    // Classification: the classes by their numbers, and the probability of the predicted one.
    std::int64_t truth = -1, predicted = -1;
    double probability = 0;
    // Regression: one value per column, in the units of the data.
    std::vector<double> target, output;

    bool hasClasses() const { return truth >= 0; }
    bool isWrong() const { return truth != predicted; }
    bool operator==(const Example&) const = default;
};

// How many are kept. A cell of the confusion table is a pair of a true and a predicted class.
struct ExampleLimits {
    std::size_t perCell = 16;
    std::size_t mostWrong = 48; // of all cells together, beside those of each cell
    std::size_t all = 2000;
};

// Rule: which samples an evaluation names.
// The samples to keep out of `all`, the largest loss first, equal ones by their index: the most wrong of all, and of
// each cell those of the largest loss (on the diagonal: of what was right, the least sure). Without classes, those of
// the largest loss. Where the limit of all does not hold them, each cell gets fewer. A sample whose loss is not a
// number comes first. What is kept of a whole is also kept of the part that it is in, so ranks choose from their own
// samples and then from the chosen ones of all, except where the limit of all is reached.
std::vector<Example> chooseExamples(std::vector<Example> all, const ExampleLimits& limits = {});

} // namespace trainyard::run
