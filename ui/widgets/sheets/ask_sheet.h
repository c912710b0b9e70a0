// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/sheets/sheet.h"

#include <functional>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace trainyard::ui {

class Label;

// The area of `parent`'s window that a sheet covers: everything inside the window frame.
QWidget* coveredBy(QWidget* parent);

// Asks for one value: a line, a number or some lines of text. Call one of the ask functions, then open(). It deletes
// itself when closed.
class AskSheet : public Sheet {
    Q_OBJECT
public:
    // `title`: the subject; `words`: the question; `go`: the button's text. Covers the window of `parent`.
    AskSheet(QWidget* parent, const QString& title, const QString& words, const QString& go);

    // `fault` returns the reason that a text is invalid; empty: it is valid.
    void askForLine(const QString& text, std::function<void(const QString&)> then,
                    std::function<QString(const QString&)> fault = {});
    void askForLines(const QString& text, std::function<void(const QString&)> then);
    void askForNumber(int value, int least, int most, std::function<void(int)> then);

    QLineEdit* line() const { return m_line; }        // null if it asks for another kind
    QPlainTextEdit* lines() const { return m_lines; } // the same
    QSpinBox* number() const { return m_number; }     // the same
    QPushButton* goButton() const { return m_go; }
    QString words() const;
    // The reason that the typed text is invalid; empty: it is valid.
    QString fault() const;
    // Same as the button.
    void accept();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void take(QWidget* field, std::function<void()> then);

    Label *m_words, *m_fault;
    QVBoxLayout* m_rows;
    QPushButton* m_go;
    QLineEdit* m_line = nullptr;
    QPlainTextEdit* m_lines = nullptr;
    QSpinBox* m_number = nullptr;
    std::function<void()> m_then;
};

} // namespace trainyard::ui
