// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/inputs/choice_picker.h"

class QLineEdit;

namespace trainyard::ui {

// Offers the filters that the user has saved in this workspace, and to save or forget the one in the field.
ChoicePicker* savedFiltersPicker(const Workbench& bench, QLineEdit& field, QWidget* parent);

} // namespace trainyard::ui
