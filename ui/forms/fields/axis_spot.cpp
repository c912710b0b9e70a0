// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/axis_spot.h"

namespace trainyard::ui {

AxisSpot::AxisSpot(Field field, QAbstractButton* toggle, QVBoxLayout* below)
    : QObject(toggle), m_field(std::move(field)), m_toggle(toggle), m_below(below) {}

} // namespace trainyard::ui
