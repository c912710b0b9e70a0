// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/preview.h"

namespace trainyard::ui {

// The text of `finetune.freeze` after a part of the model was frozen or thawed: "body" where all but the head is
// frozen, else the names of the frozen parts, and the globs that say nothing of that part. `globs`: the text before;
// `blocks`: as they are frozen by it; `head`: the last layer's name, empty where there is none.
QString freezeWith(const QString& globs, const QList<Preview::Block>& blocks, const QString& head, const QString& name,
                   bool frozen);

} // namespace trainyard::ui
