// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace trainyard::ui {

class Label;
class NumberLabel;

// A card surface: 1-px border, radius 6. With a title it has a 36-px header that holds the title,
// an optional note and, at the right, the widgets of addAction().
class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);
    explicit Card(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setNote(const QString& note);
    // Adds a widget at the right end of the header.
    void addAction(QWidget* action);
    using QWidget::addAction;
    // The layout below the header; no margins, no spacing.
    QVBoxLayout* body() const { return m_body; }
    // Frame of the current or primary card: 2-px accent.
    void setAccented(bool on);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void ensureHeader();

    QVBoxLayout* m_outer = nullptr;
    QVBoxLayout* m_body = nullptr;
    QHBoxLayout* m_header = nullptr;
    Label* m_title = nullptr;
    NumberLabel* m_note = nullptr;
    bool m_accented = false;
};

} // namespace trainyard::ui
