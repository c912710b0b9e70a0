// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

namespace trainyard::run {

// Charts of a run's curves: loss on the left, accuracy on the right, against epochs, as engine/chart draws them.
// Series without a finite point are left out; a panel without a series is, too.
std::string curvesSvg(const std::string& title, const std::map<std::string, std::vector<wire::Point>>& series);

} // namespace trainyard::run
