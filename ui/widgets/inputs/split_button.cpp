// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/split_button.h"

#include "ui/theme/icon.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>

namespace trainyard::ui {

SplitButton::SplitButton(const QString& text, const QString& iconName, QWidget* parent) : QToolButton(parent) {
    setText(text);
    setAccessibleName(text);
    setPopupMode(QToolButton::MenuButtonPopup);
    setToolButtonStyle(iconName.isEmpty() ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::StrongFocus);
    if (!iconName.isEmpty()) setButtonIcon(this, iconName);
    setMenu(new QMenu(this));
}

QAction* SplitButton::addItem(const QString& text, bool danger) {
    QAction* action = menu()->addAction(text);
    if (danger) action->setProperty("kind", QByteArray("danger"));
    return action;
}

void SplitButton::addSeparator() { menu()->addSeparator(); }

void SplitButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down) {
        showMenu();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QToolButton::keyPressEvent(event);
}

} // namespace trainyard::ui
