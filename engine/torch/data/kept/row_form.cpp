// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/row_form.h"

#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace trainyard::data {

using train::TableLayout;

RowForm::RowForm(const TableLayout& layout, const std::vector<bool>& floats) {
    for (std::size_t f = 0; f < layout.features.size(); ++f) {
        const TableLayout::Feature& feature = layout.features[f];
        const auto kind = feature.isWords                   ? Field::Kind::Word
                          : floats[f] && !feature.isDates() ? Field::Kind::Float
                                                            : Field::Kind::Double;
        m_fields.push_back({kind, m_bytes, feature});
        m_bytes += kind == Field::Kind::Word ? 1 : kind == Field::Kind::Float ? 4 : 8;
        m_width += feature.width();
    }
}

Result<void> RowForm::write(const formats::Table& table, const std::vector<std::size_t>& columns, std::byte* to) const {
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const Field& field = m_fields[f];
        const formats::Column& column = table.columns[columns[f]];
        std::byte* at = to + field.at;
        if (field.kind == Field::Kind::Word) {
            const auto& words = field.feature.words;
            const auto placeOf = [&](const std::string& word) {
                return std::find(words.begin(), words.end(), word) - words.begin();
            };
            std::vector<std::ptrdiff_t> places;
            for (const std::string& word : column.vocabulary) places.push_back(placeOf(word));
            const std::ptrdiff_t missing = placeOf(train::kMissingWord);
            for (std::int64_t row = 0; row < table.rows(); ++row, at += m_bytes) {
                const std::int32_t word = column.words[static_cast<std::size_t>(row)];
                const std::ptrdiff_t place = word < 0 ? missing : places[static_cast<std::size_t>(word)];
                if (place == static_cast<std::ptrdiff_t>(words.size()))
                    return inputError("has changed while it was read", table.position(row, columns[f]),
                                      "start again when nothing writes to it");
                *at = static_cast<std::byte>(place);
            }
            continue;
        }
        for (const double number : column.numbers) {
            if (field.kind == Field::Kind::Double) std::memcpy(at, &number, sizeof number);
            const auto single = static_cast<float>(number);
            if (field.kind == Field::Kind::Float) std::memcpy(at, &single, sizeof single);
            at += m_bytes;
        }
    }
    return {};
}

double RowForm::numberOf(const std::byte* row, std::size_t feature) const {
    const Field& field = m_fields[feature];
    if (field.kind == Field::Kind::Double) {
        double number = 0;
        std::memcpy(&number, row + field.at, sizeof number);
        return number;
    }
    float number = 0;
    std::memcpy(&number, row + field.at, sizeof number);
    return static_cast<double>(number);
}

void RowForm::features(const std::byte* row, const std::vector<double>& fills, double* to) const {
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const Field& field = m_fields[f];
        const TableLayout::Feature& feature = field.feature;
        const std::int64_t width = feature.width();
        if (field.kind == Field::Kind::Word) {
            std::fill(to, to + width, 0.0);
            const auto place = static_cast<std::int64_t>(row[field.at]);
            if (place < width) to[place] = 1;
        } else {
            const double read = numberOf(row, f), number = std::isnan(read) ? fills[f] : read;
            if (!feature.isDates()) *to = number;
            for (std::size_t p = 0; p < feature.parts.size(); ++p) to[p] = formats::partOf(number, feature.parts[p]);
        }
        to += width;
    }
}

// Field by field: what a field is, is asked once, and not once a row.
void RowForm::standardised(const std::byte* rows, std::int64_t count, const std::vector<double>& fills,
                           const std::vector<double>& mean, const std::vector<double>& stddev, float* to) const {
    std::int64_t k = 0; // the first feature of the field
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const Field& field = m_fields[f];
        const std::int64_t width = field.feature.width();
        const auto put = [&](std::int64_t row, std::int64_t of, double x) {
            const auto place = static_cast<std::size_t>(k + of);
            to[row * m_width + k + of] = static_cast<float>(mean.empty() ? x : (x - mean[place]) / stddev[place]);
        };
        const std::byte* row = rows;
        for (std::int64_t i = 0; i < count; ++i, row += m_bytes) {
            if (field.kind == Field::Kind::Word) {
                const auto word = static_cast<std::int64_t>(row[field.at]);
                for (std::int64_t of = 0; of < width; ++of) put(i, of, of == word ? 1 : 0);
                continue;
            }
            const double read = numberOf(row, f), number = std::isnan(read) ? fills[f] : read;
            if (!field.feature.isDates()) put(i, 0, number);
            for (std::size_t p = 0; p < field.feature.parts.size(); ++p)
                put(i, static_cast<std::int64_t>(p), formats::partOf(number, field.feature.parts[p]));
        }
        k += width;
    }
}

} // namespace trainyard::data
