// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace trainyard::ui {

// What Tab reaches in `root`, as it is read: by the places in its layouts, whenever a widget was made. A scroll area is
// reached only if nothing in it is.
QList<QWidget*> tabOrder(QWidget* root);
// Moves the focus to the next or previous of those, round and round, and scrolls it into view; false: there is none.
bool moveFocus(QWidget* root, bool next);

} // namespace trainyard::ui
