// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_data.h"

#include <QString>

#include <vector>

namespace trainyard::ui {

// Whether an average shows more than the values do. A learning rate is exact, and a validation covers all samples:
// those are drawn unsmoothed.
bool isNoisy(const QString& series);

// Debiased exponential moving average of a series, over its full data: s = w s + (1 - w) v, shown as s / (1 - w^n), so
// that the first values are not drawn towards 0. The smoothing of TensorBoard's scalars and of W&B's charts; the
// correction is that of Adam's moments (Kingma and Ba, ICLR 2015, section 3). Values that are not finite do not count
// in s and n, and stay gaps. Kept as 32-bit floats.
class SmoothSeries final : public ValueSource {
public:
    // `weight` 0 (no smoothing) to below 1.
    explicit SmoothSeries(double weight = 0) : m_weight(weight) {}

    double weight() const { return m_weight; }
    // Extends the average to the end of `series`; from scratch if the series was truncated since.
    void follow(const SeriesData& series);
    // Whether it was derived from this state of the series or an earlier part of it.
    bool matches(const SeriesData& series) const;

    std::size_t size() const override { return m_values.size(); }
    double value(std::size_t index) const override { return static_cast<double>(m_values[index]); }
    void prefetch(std::size_t index) const override {
        if (index < m_values.size()) __builtin_prefetch(m_values.data() + index);
    }

private:
    double m_weight;
    double m_sum = 0;  // s
    double m_mass = 0; // 1 - w^n
    quint64 m_generation = 0;
    std::vector<float> m_values;
};

} // namespace trainyard::ui
