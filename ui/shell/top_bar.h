// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QAbstractButton>

namespace trainyard::ui {

// The field in the top bar that opens the command palette: search icon, words, shortcut.
class CommandField : public QAbstractButton {
    Q_OBJECT
public:
    explicit CommandField(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

// Workspace, command field, this computer, New run.
class TopBar : public Surface {
    Q_OBJECT
public:
    explicit TopBar(Workbench& bench, QWidget* parent = nullptr);

    CommandField* commandField() const { return m_command; }

Q_SIGNALS:
    void workspaceMenuRequested(const QPoint& globalPosition);

private:
    QHBoxLayout* buildLeft();
    QHBoxLayout* buildRight();
    void showCounts();

    Workbench& m_bench;
    QToolButton* m_workspace;
    Label* m_count;
    CommandField* m_command;
    QToolButton* m_host;
    Label* m_hostNote;
};

} // namespace trainyard::ui
