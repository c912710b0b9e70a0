// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"
#include "ui/widgets/sheets/checklist.h"

namespace trainyard::ui {

// The four steps to the first point, and their progress in `state` (null: nothing known yet).
QList<ChecklistStep> startSteps(int workers, const wire::RunState* state);

} // namespace trainyard::ui
