// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace trainyard::ui {

// A default action with a menu of its alternatives behind a 24-px arrow. The label never moves; clicked() is the
// default action; the menu opens under the left edge. Down opens it too.
class SplitButton : public QToolButton {
    Q_OBJECT
public:
    explicit SplitButton(const QString& text, const QString& iconName = QString(), QWidget* parent = nullptr);

    // Adds an entry to the menu; `danger` paints its text in the error colour.
    QAction* addItem(const QString& text, bool danger = false);
    void addSeparator();

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace trainyard::ui
