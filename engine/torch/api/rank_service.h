// SPDX-License-Identifier: GPL-3.0-or-later
// The way from the public trainers, whose headers say Result in their own sense, to the session of a rank.
#pragma once

#include "trainyard/config.h"

#include <functional>

namespace trainyard::train {

// Runs the function as this rank's and ends the process.
[[noreturn]] void serveRank(const std::function<void(const Config&)>& function);

} // namespace trainyard::train
