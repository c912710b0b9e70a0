// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace trainyard::ui {

// A run or sweep file as JSON for the New run sheet. Relative paths in it are resolved from its folder. Errors name
// the file and the field.
Result<QString> readRunFile(const QString& path);

} // namespace trainyard::ui
