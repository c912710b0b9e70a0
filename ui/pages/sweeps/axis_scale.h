// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trial_list.h"
#include "ui/plots/canvas/axis_labels.h"

namespace trainyard::ui {

// Where the values of a parameter lie on an axis of a plot: a number at itself, a choice at its place in the list.
class AxisScale {
public:
    explicit AxisScale(const spec::Axis& axis);

    QString title() const;
    bool isChoice() const { return m_choice; }
    bool isLog() const { return m_log; } // as the sweep draws it
    // NaN if the trial does not have the parameter.
    double coordinate(const Trial& trial) const;
    double place(const Trial& trial) const; // spec::placeOf, else NaN
    // Title, unit and names.
    PlotAxis plotAxis() const;
    // Ticks at places.
    std::vector<Tick> ticksAtPlaces() const;

private:
    spec::Axis m_axis;
    bool m_choice = false, m_log = false;
};

} // namespace trainyard::ui
