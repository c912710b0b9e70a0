// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace trainyard::ui {

// A run or sweep file as JSON for the New run sheet. What it names by relative paths is meant from where the file is.
// The errors name the file and the field.
Result<QString> readRunFile(const QString& path);

} // namespace trainyard::ui
