// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/metric_steps.h"

#include <cmath>

namespace trainyard::program {

imports::Point MetricSteps::next(std::optional<std::int64_t> step, std::optional<double> epoch) {
    if (epoch) m_epoch = *epoch;
    imports::Point point{.epoch = m_epoch};
    if (step) {
        m_hasSteps = true;
        const auto place = m_rows.next({true, epoch.has_value()}, static_cast<double>(*step), epoch);
        m_last = place.value_or(*step);
    } else if (!m_hasSteps) {
        const auto place = m_rows.next({false, epoch.has_value()}, std::nullopt, epoch);
        m_last = epoch && place && !m_rows.hasPartsOfEpochs() ? *place : m_rows.row();
    }
    point.step = m_last;
    return point;
}

} // namespace trainyard::program
