// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

class QString;
class QWidget;

namespace trainyard::ui {

// Shows an error, its place and its remedy, over `window`.
void showErrorSheet(QWidget* window, const QString& what, const Error& error);

} // namespace trainyard::ui
