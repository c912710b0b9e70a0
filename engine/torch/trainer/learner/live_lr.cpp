// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/live_lr.h"

namespace trainyard::train {

double LiveLr::of(double scheduled) const {
    if (!m_set || scheduled == m_scheduled) return m_set ? m_value : scheduled;
    return m_scheduled > 0 ? scheduled * (m_value / m_scheduled) : m_value;
}

void LiveLr::set(double value, double scheduled) {
    m_value = value;
    m_scheduled = scheduled;
    m_set = true;
}

void LiveLr::save(std::map<std::string, double>& progress) const {
    if (!m_set) return;
    progress["rateSet"] = m_value;
    progress["rateScheduled"] = m_scheduled;
    progress["rateBase"] = m_baseLr;
}

void LiveLr::restore(const std::map<std::string, double>& progress) {
    const auto value = progress.find("rateSet"), scheduled = progress.find("rateScheduled"),
               base = progress.find("rateBase");
    if (value == progress.end() || scheduled == progress.end() || base == progress.end()) return;
    if (base->second == m_baseLr) set(value->second, scheduled->second);
}

} // namespace trainyard::train
