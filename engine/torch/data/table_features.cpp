// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/table_features.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"
#include "engine/spec/run/catalog.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::data {

using train::TableLayout;

namespace {

Error missingCell(const formats::Table& table, std::int64_t row, std::size_t column) {
    return inputError("the cell is empty or means a missing value, and the model was trained without any",
                      table.position(row, column), "fill it in, or remove the row")
        .withCode(ErrorCode::DataUnreadable);
}

Error unknownWord(const formats::Table& table, std::int64_t row, std::size_t column, const std::string& word,
                  const TableLayout::Feature& feature) {
    std::string known;
    for (const std::string& each : feature.words) {
        if (known.size() > 200) {
            known += ", …";
            break;
        }
        known += (known.empty() ? "" : ", ") + printable(each, 40);
    }
    const std::string near = nearestWord(word, feature.words);
    return inputError("\"" + printable(word, 60) + "\" is not one of the words that the model was trained on",
                      table.position(row, column),
                      (near.empty() ? "" : "did you mean \"" + printable(near, 60) + "\"? ") + "its words: " + known);
}

// Where each word of a table's column stands in the layout; -1: nowhere.
std::vector<std::int64_t> placesOf(const formats::Column& column, const TableLayout::Feature& feature) {
    std::vector<std::int64_t> places;
    for (const std::string& word : column.vocabulary) {
        const auto found = std::find(feature.words.begin(), feature.words.end(), word);
        places.push_back(found == feature.words.end() ? -1 : found - feature.words.begin());
    }
    return places;
}

} // namespace

void writeNumber(const TableLayout::Feature& feature, double number, double* out) {
    if (!feature.isDates()) *out = number;
    for (const std::string& part : feature.parts) *out++ = formats::partOf(number, part);
}

Result<torch::Tensor> encoded(const formats::Table& table, const std::vector<std::size_t>& columns,
                              const TableLayout& layout, Gaps gaps) {
    std::int64_t width = 0, at = 0;
    for (const TableLayout::Feature& feature : layout.features) width += feature.width();
    torch::Tensor features = torch::zeros({table.rows(), width}, torch::kFloat64);
    double* const out = features.data_ptr<double>();
    for (std::size_t f = 0; f < columns.size(); ++f) {
        const TableLayout::Feature& feature = layout.features[f];
        const formats::Column& column = table.columns[columns[f]];
        if (feature.isDates() && column.hasTime && !column.hasDate && feature.parts.front() == "year")
            return inputError("holds times, and the model was trained on dates", table.position(0, columns[f]),
                              "write them as 2026-11-29 14:05");
        const auto places = placesOf(column, feature);
        const auto forMissing = std::find(feature.words.begin(), feature.words.end(), train::kMissingWord);
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            const auto index = static_cast<std::size_t>(row);
            double* const cells = out + row * width + at;
            if (!feature.isWords) {
                const double number = column.numbers[index];
                const bool fills = std::isnan(number) && gaps == Gaps::Fill;
                if (fills && !feature.fill) return missingCell(table, row, columns[f]);
                writeNumber(feature, fills ? *feature.fill : number, cells);
                continue;
            }
            const std::int32_t word = column.words[index];
            const bool missing = word < 0;
            if (missing && forMissing == feature.words.end()) return missingCell(table, row, columns[f]);
            const std::int64_t place =
                missing ? forMissing - feature.words.begin() : places[static_cast<std::size_t>(word)];
            if (place < 0)
                return unknownWord(table, row, columns[f], column.vocabulary[static_cast<std::size_t>(word)], feature);
            cells[place] = 1;
        }
        at += feature.width();
    }
    return features;
}

torch::Tensor standardised(const torch::Tensor& numbers, const std::vector<double>& mean,
                           const std::vector<double>& stddev) {
    torch::Tensor wide = numbers.to(torch::kFloat64);
    if (mean.empty()) return wide.to(torch::kFloat32);
    const auto options = wide.options();
    return ((wide - torch::tensor(mean, options)) / torch::tensor(stddev, options)).to(torch::kFloat32);
}

Moments momentsOf(const torch::Tensor& numbers) {
    const auto listOf = [](const torch::Tensor& list) {
        const torch::Tensor whole = list.contiguous();
        return std::vector<double>{whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
    };
    const torch::Tensor least = numbers.amin(0);
    const torch::Tensor above = numbers - least; // sums of numbers far from 0 would be rounded
    const torch::Tensor stddev = above.std(0, /*unbiased=*/false);
    const torch::Tensor constant = (above.amax(0) == 0).logical_or(stddev <= 0);
    return {listOf(torch::where(constant, least, least + above.mean(0))),
            listOf(torch::where(constant, torch::ones_like(stddev), stddev))};
}

Result<void> checkDigits(const Moments& moments, const std::vector<NumberRange>& ranges,
                         const std::vector<std::string>& names, const std::string& file) {
    constexpr double kLeastSteps = 100; // of single precision within one standard deviation
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double step = ranges[i].largest * 0x1p-24;
        if (ranges[i].isConstant || moments.stddev[i] > kLeastSteps * step) continue;
        return inputError("the numbers of \"" + printable(names[i], 40) + "\" differ by about " +
                              spec::toText(moments.stddev[i]) + " and are as large as " + spec::toText(step * 0x1p24) +
                              ": single precision cannot hold that",
                          file, "set dataset.params.standardise to true");
    }
    return {};
}

std::optional<double> medianOf(const torch::Tensor& column) {
    const torch::Tensor whole = column.contiguous();
    std::vector<double> there;
    std::copy_if(whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel(), std::back_inserter(there),
                 [](double number) { return !std::isnan(number); });
    if (there.empty()) return std::nullopt;
    const auto middle = there.begin() + static_cast<std::ptrdiff_t>(there.size() / 2);
    std::nth_element(there.begin(), middle, there.end());
    if (there.size() % 2 == 1) return *middle;
    return std::midpoint(*std::max_element(there.begin(), middle), *middle);
}

} // namespace trainyard::data
