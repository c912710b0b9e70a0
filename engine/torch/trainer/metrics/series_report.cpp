// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/metrics/series_report.h"

#include "engine/base/clock.h"

#include <algorithm>

namespace trainyard::train {

void SeriesReport::begin() { m_begun = monotonicSeconds(); }

double SeriesReport::trainSeconds() const { return m_secondsBefore + (m_begun > 0 ? monotonicSeconds() - m_begun : 0); }

void SeriesReport::point(const std::string& series, std::int64_t step, double epoch, double value, double secondsAgo) {
    ++m_given;
    m_last[series] = value;
    m_lastSteps[series] = step;
    m_report.point(series, {step, epoch, std::max(m_secondsBefore, trainSeconds() - secondsAgo), value});
}

void SeriesReport::endWindow() {
    m_windows.push_back(m_given);
    m_report.sendPoints();
}

std::size_t SeriesReport::windowsUnreported() {
    while (!m_windows.empty() && m_windows.front() <= m_report.pointsStored()) m_windows.pop_front();
    return m_windows.size();
}

} // namespace trainyard::train
