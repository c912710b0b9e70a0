// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/axis_scale.h"

#include "ui/models/text/format.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kFewTicks = 5;
constexpr std::size_t kMostChoices = 9; // choices that an axis names

std::optional<double> numberOf(const spec::Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::nullopt;
}

QString textOf(const spec::Value& value) {
    const auto number = numberOf(value);
    return number ? digitsText(*number, 3) : localText(QString::fromStdString(spec::toText(value)));
}

} // namespace

AxisScale::AxisScale(const spec::Axis& axis) : m_axis(axis), m_log(axis.logScale) {
    m_choice = std::any_of(axis.values.begin(), axis.values.end(), [](const auto& value) { return !numberOf(value); });
    if (m_choice || axis.values.empty()) return;
    double low = INFINITY, high = -INFINITY;
    for (const auto& value : axis.values) {
        low = std::min(low, *numberOf(value));
        high = std::max(high, *numberOf(value));
    }
    m_log = low > 0 && high / low > 30;
}

QString AxisScale::title() const { return shortPath(QString::fromStdString(m_axis.path)); }

double AxisScale::place(const Trial& trial) const {
    const auto value = trial.params.find(m_axis.path);
    return value == trial.params.end() ? std::nan("") : spec::placeOf(m_axis, value->second);
}

double AxisScale::coordinate(const Trial& trial) const {
    if (!m_choice) return trial.number(m_axis.path);
    const auto value = trial.params.find(m_axis.path);
    if (value == trial.params.end()) return std::nan("");
    const auto at = std::find(m_axis.values.begin(), m_axis.values.end(), value->second);
    return at == m_axis.values.end() ? std::nan("") : static_cast<double>(at - m_axis.values.begin());
}

PlotAxis AxisScale::plotAxis() const {
    PlotAxis axis{.title = title()};
    if (!m_choice) return axis;
    axis.unit = AxisUnit::Names;
    for (const auto& value : m_axis.values) axis.names << textOf(value);
    return axis;
}

std::vector<Tick> AxisScale::ticksAtPlaces() const {
    std::vector<Tick> ticks;
    if (m_axis.isList()) {
        const std::size_t every = (m_axis.values.size() + kMostChoices - 1) / kMostChoices;
        for (std::size_t i = 0; i < m_axis.values.size(); i += every)
            ticks.push_back({spec::placeOf(m_axis, m_axis.values[i]), textOf(m_axis.values[i])});
        return ticks;
    }
    const auto values =
        m_axis.logScale ? logTicks(m_axis.from, m_axis.to, kFewTicks) : linearTicks(m_axis.from, m_axis.to, kFewTicks);
    for (const Tick& tick : values) ticks.push_back({spec::placeOf(m_axis, tick.position), tick.label});
    return ticks;
}

} // namespace trainyard::ui
