// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace trainyard::ui {

// All keyboard shortcuts on one sheet (F1).
class ShortcutsSheet {
public:
    static void show(QWidget* window);
};

} // namespace trainyard::ui
