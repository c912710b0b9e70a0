// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing in the picker that is open, by keys alone as a user would.
#pragma once

#include "ui/widgets/inputs/choice_picker.h"

#include <QApplication>
#include <QLineEdit>
#include <QTest>

namespace trainyard::test {

// Searches for these words and takes the first choice found: with Enter, which closes the picker, or with Space.
inline bool pickFromOpen(const QString& words, Qt::Key key = Qt::Key_Return) {
    auto* picker = qobject_cast<ui::ChoicePicker*>(QApplication::activePopupWidget());
    auto* search = picker ? picker->findChild<QLineEdit*>() : nullptr;
    if (search == nullptr) return false;
    QTest::keyClicks(search, words);
    if (key == Qt::Key_Space) { // after a letter it would be a letter too
        QTest::keyClick(search, Qt::Key_Down);
        QTest::keyClick(search, Qt::Key_Up);
    }
    QTest::keyClick(search, key);
    if (key == Qt::Key_Space) QTest::keyClick(search, Qt::Key_Escape);
    return QApplication::activePopupWidget() == nullptr;
}

} // namespace trainyard::test
