// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace trainyard::ui {

// Says what is missing and why, with the one action that fills it.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    // Without `action` there is no button.
    EmptyState(const QString& what, const QString& why, const QString& action = QString(),
               const QString& iconName = QString(), QWidget* parent = nullptr);

    QPushButton* button() const { return m_button; }

Q_SIGNALS:
    void triggered();

private:
    QPushButton* m_button = nullptr;
};

} // namespace trainyard::ui
