// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/settings_form.h"

namespace trainyard::ui {

// A POSIX shell command that starts the settings of a form from a terminal: it pipes `file`, the text of their run or
// sweep file, to trainyardctl, as a run in the folder `workspace`.
std::string runCommand(const SettingsForm::State& state, const std::string& file, const std::string& workspace);

// The same of a program whose arguments are these words: `trainyardctl run train.py …`, from the folder in which it
// runs. A sweep and a job of Slurm are started from a file.
std::string programCommand(const SettingsForm::State& state, const std::vector<std::string>& words,
                           const std::string& workspace);

} // namespace trainyard::ui
