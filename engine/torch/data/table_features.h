// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table as features: the one way for training, evaluation, previews and predictions.
#pragma once

#include "engine/formats/table.h"
#include "engine/torch/base/table_layout.h"

#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

namespace trainyard::data {

// What becomes of a missing number: it stays NaN, or it is filled in as the layout says and refused where it does not.
enum class Gaps { Keep, Fill };

// float64 [rows, width]: of each feature the column of the table that `columns` names, a feature of words as 0 and 1
// for each word. Input, with the cell's place: a word that the layout does not know; a missing cell that is not filled
// in.
Result<torch::Tensor> encoded(const formats::Table& table, const std::vector<std::size_t>& columns,
                              const train::TableLayout& layout, Gaps gaps);

// What becomes of a number that is a feature, or of seconds that are a date: `width` numbers.
void writeNumber(const train::TableLayout::Feature& feature, double number, double* out);

// (numbers - mean) / stddev for each column, in double precision and only then as float32, so that features and targets
// far from 0 keep their digits; without mean they are only rounded.
torch::Tensor standardised(const torch::Tensor& numbers, const std::vector<double>& mean,
                           const std::vector<double>& stddev);

// Of each column of float64 [rows, columns]; a constant one has its value as mean and 1 as deviation.
struct Moments {
    std::vector<double> mean, stddev;
};
Moments momentsOf(const torch::Tensor& numbers);

// What single precision must hold of the numbers of a column.
struct NumberRange {
    double largest = 0; // of their absolute values
    bool isConstant = false;
};
// For numbers that are not standardised, of which single precision is all there is. Input, with the file: it has about
// seven digits, and cannot tell the numbers of a column apart.
Result<void> checkDigits(const Moments& moments, const std::vector<NumberRange>& ranges,
                         const std::vector<std::string>& names, const std::string& file);

// The middle of what is there in a column of float64 [rows], or none: all is NaN.
std::optional<double> medianOf(const torch::Tensor& column);

} // namespace trainyard::data
