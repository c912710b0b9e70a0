// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/settings_form.h"

namespace trainyard::ui {

SettingsForm::~SettingsForm() = default;

} // namespace trainyard::ui
