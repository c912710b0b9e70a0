// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_text.h"

#include <string>

namespace trainyard::ctl {

// What a program's run was made of (run::readProgramRecord), in some lines for people.
void printMadeOf(const Json& record, const std::string& folder);

} // namespace trainyard::ctl
