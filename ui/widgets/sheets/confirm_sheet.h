// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/sheets/sheet.h"

class QPushButton;

namespace trainyard::ui {

// Says what an action will do, and asks whether to do it. It deletes itself when closed.
class ConfirmSheet : public Sheet {
    Q_OBJECT
public:
    // `words`: what happens; `go`: the button's text. Covers the window of `parent`.
    ConfirmSheet(QWidget* parent, const QString& title, const QString& words, const QString& go);

    QString words() const { return m_words; }
    QPushButton* goButton() const { return m_go; }

Q_SIGNALS:
    void confirmed(); // the sheet closes

private:
    QString m_words;
    QPushButton* m_go;
};

} // namespace trainyard::ui
