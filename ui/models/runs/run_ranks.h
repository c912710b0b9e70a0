// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_item.h"

#include <functional>

namespace trainyard::ui {

// The ranks on hosts for which `isOne` is true, from the run's hosts and workers. Names are those in the run file;
// empty: the computer on which the run lives.
QList<int> ranksWhere(const RunItem& run, const std::function<bool(const std::string& host)>& isOne);

} // namespace trainyard::ui
