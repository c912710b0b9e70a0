// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"

namespace trainyard::ui {

// What starts the settings of a form from a terminal, for a POSIX shell: it writes `file`, the text of their run or
// sweep file, and hands it to trainyardctl, as a run of the folder `workspace`.
std::string runCommand(const RunForm::State& state, const std::string& file, const std::string& workspace);

} // namespace trainyard::ui
