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

// What a sheet covers of the window of `parent`: all but what the system draws.
QWidget* coveredBy(QWidget* parent);

// Asks for one thing: a line, a number or some lines of text. Ask with one of the functions, then open(). It is gone
// once it is closed.
class AskSheet : public Sheet {
    Q_OBJECT
public:
    // `title`: what it is about; `words`: what is asked for; `go`: what the button does. Covers the window of `parent`.
    AskSheet(QWidget* parent, const QString& title, const QString& words, const QString& go);

    // `fault` says why a text cannot be taken; an empty text if it can.
    void askForLine(const QString& text, std::function<void(const QString&)> then,
                    std::function<QString(const QString&)> fault = {});
    void askForLines(const QString& text, std::function<void(const QString&)> then);
    void askForNumber(int value, int least, int most, std::function<void(int)> then);

    QLineEdit* line() const { return m_line; }        // null where something else is asked for
    QPlainTextEdit* lines() const { return m_lines; } // the same
    QSpinBox* number() const { return m_number; }     // the same
    QPushButton* goButton() const { return m_go; }
    QString words() const;
    // Why what is typed cannot be taken; empty: it can.
    QString fault() const;
    // As the button does.
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
