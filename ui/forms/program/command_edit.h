// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QPlainTextEdit;

namespace trainyard::ui {

class Label;
class NumberLabel;

// The words of a program as an editable command line, in a fixed font. Enter ends the editing; the line wraps by
// itself.
class CommandEdit : public QWidget {
    Q_OBJECT
public:
    explicit CommandEdit(QWidget* parent = nullptr);

    // What stands before the words and is chosen elsewhere: "python3 train.py"; `full` with its paths.
    void setBefore(const QString& text, const QString& full);
    // Does not touch a text that means the same words, so that it stays as the user has typed it.
    void setWords(const std::vector<std::string>& words);
    void setError(const QString& message);
    QString error() const; // empty: none
    QPlainTextEdit* edit() const { return m_edit; }

Q_SIGNALS:
    void edited(const std::vector<std::string>& words);
    void refused();  // the text has become wrong
    void finished(); // Enter was pressed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void read();
    void fit();

    NumberLabel* m_before;
    QPlainTextEdit* m_edit;
    Label* m_error;
};

} // namespace trainyard::ui
