// SPDX-License-Identifier: GPL-3.0-or-later
// A row of a table as bytes of a fixed length: numbers without a loss, words as their places.
#pragma once

#include "engine/formats/table.h"
#include "engine/torch/base/table_layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::data {

// Of one table. Its values are exact: what is read is what was written.
class RowForm {
public:
    // `floats`: of each feature, whether all its numbers are the same as floats.
    RowForm(const train::TableLayout& layout, const std::vector<bool>& floats);

    std::int64_t bytes() const { return m_bytes; } // of a row
    std::int64_t width() const { return m_width; } // of its features
    // Writes all rows of a table, whose features stand in `columns`, one behind another. Input, with the place: a word
    // that the layout does not know.
    Result<void> write(const formats::Table& table, const std::vector<std::size_t>& columns, std::byte* to) const;

    // The number of a feature that is no word, as it was read: of a date seconds; NaN where it is missing.
    double numberOf(const std::byte* row, std::size_t feature) const;
    // All features, with missing numbers as `fills` has them for each feature (NaN: they stay); `to` has room for
    // width().
    void features(const std::byte* row, const std::vector<double>& fills, double* to) const;
    // The same of `count` rows one behind another, standardised in double precision: (x - mean) / stddev, or as they
    // are where `mean` is empty. `to` has room for count x width().
    void standardised(const std::byte* rows, std::int64_t count, const std::vector<double>& fills,
                      const std::vector<double>& mean, const std::vector<double>& stddev, float* to) const;

private:
    struct Field {
        enum class Kind : std::uint8_t { Double, Float, Word } kind = Kind::Double;
        std::int64_t at = 0; // in the row
        train::TableLayout::Feature feature;
    };
    std::vector<Field> m_fields;
    std::int64_t m_bytes = 0, m_width = 0;
};

} // namespace trainyard::data
