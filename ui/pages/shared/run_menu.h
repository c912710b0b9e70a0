// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/action.h"

namespace trainyard::ui {

// The menu of one run: stop or resume, fork, rename, tags, copy, export, archive.
void showRunMenu(const ActionTarget& run, const QPoint& globalPosition);
// The menu of one checkpoint or, without one, of the run's points.
void showCheckpointMenu(const ActionTarget& run, const QPoint& globalPosition);

} // namespace trainyard::ui
