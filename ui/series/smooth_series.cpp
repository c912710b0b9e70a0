// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/smooth_series.h"

#include <cmath>

namespace trainyard::ui {

bool SmoothSeries::matches(const SeriesData& series) const {
    return m_generation == series.generation() && size() <= series.size();
}

bool isNoisy(const QString& series) {
    return series != QLatin1String("lr") && !series.startsWith(QLatin1String("val/")) &&
           !series.startsWith(QLatin1String("test/"));
}

void SmoothSeries::follow(const SeriesData& series) {
    if (!matches(series)) {
        m_values.clear();
        m_sum = 0;
        m_mass = 0;
        m_generation = series.generation();
    }
    m_values.reserve(series.size() > m_values.capacity() ? series.size() + series.size() / 4 : 0);
    for (std::size_t i = m_values.size(); i < series.size(); ++i) {
        const double value = series.value(i);
        double shown = value;
        if (std::isfinite(value)) {
            m_sum = m_weight * m_sum + (1 - m_weight) * value;
            m_mass = m_weight * m_mass + (1 - m_weight);
            shown = m_sum / m_mass;
        }
        m_values.push_back(static_cast<float>(shown));
    }
}

} // namespace trainyard::ui
