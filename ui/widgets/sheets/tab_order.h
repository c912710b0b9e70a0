// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace trainyard::ui {

// The widgets in `root` that Tab reaches, in reading order: by their places in the layouts, not by creation. A scroll
// area counts only if nothing in it does.
QList<QWidget*> tabOrder(QWidget* root);
// Moves the focus to the next or previous of those, wrapping around, and scrolls it into view; false: there is none.
bool moveFocus(QWidget* root, bool next);

} // namespace trainyard::ui
