// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard::ui {

// Shows a file in the desktop's file manager, selected where that one can, else its folder. Returns at once.
void revealFile(const QString& path);

} // namespace trainyard::ui
