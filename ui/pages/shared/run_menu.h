// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/action.h"

namespace trainyard::ui {

// The menu of one run: stop or go on, fork, rename, tags, copy, export, archive.
void showRunMenu(const ActionTarget& run, const QPoint& globalPosition);
// What can be done with one checkpoint of a run, or, without one, with the run's points.
void showCheckpointMenu(const ActionTarget& run, const QPoint& globalPosition);

} // namespace trainyard::ui
