// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
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

// The place of an EmptyState in a page or a tab: in the middle, below the top, the same everywhere.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    explicit EmptyPage(EmptyState* state = nullptr, QWidget* parent = nullptr);

    EmptyState* state() const { return m_state; }
    // Takes the place of the former one, which is deleted later: its button may be the caller.
    void setState(EmptyState* state);

private:
    QHBoxLayout* m_line;
    EmptyState* m_state = nullptr;
};

} // namespace trainyard::ui
