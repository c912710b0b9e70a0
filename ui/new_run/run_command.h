// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"

namespace trainyard::ui {

// A POSIX shell command that starts the settings of a form from a terminal: it pipes `file`, the text of their run or
// sweep file, to trainyardctl, as a run in the folder `workspace`.
std::string runCommand(const RunForm::State& state, const std::string& file, const std::string& workspace);

} // namespace trainyard::ui
