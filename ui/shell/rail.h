// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class RailButton;

// The 48-px column of pages at the left, with the window's menu on top.
class Rail : public Surface {
    Q_OBJECT
public:
    explicit Rail(Workbench& bench, QWidget* parent = nullptr);

    void setPage(int index);
    QToolButton* menuButton() const { return m_menu; }

Q_SIGNALS:
    void pageChosen(const QString& page);

private:
    void showActivity();

    Workbench& m_bench;
    QToolButton* m_menu;
    QList<RailButton*> m_buttons;
};

} // namespace trainyard::ui
