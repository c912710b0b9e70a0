// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheets/ask_sheet.h"

#include "ui/widgets/layout.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

#include <utility>

namespace trainyard::ui {

QWidget* coveredBy(QWidget* parent) {
    auto* window = qobject_cast<QMainWindow*>(parent->window());
    return window != nullptr && window->centralWidget() != nullptr ? window->centralWidget() : parent->window();
}

AskSheet::AskSheet(QWidget* parent, const QString& title, const QString& words, const QString& go)
    : Sheet(coveredBy(parent), QSize(420, 420)), m_words(new Label(words, TextRole::Secondary)),
      m_fault(new Label(QString(), TextRole::SmallError)) {
    setFitsContent();
    panel()->setAccessibleName(title);
    auto* content = new QWidget;
    auto* all = column(content);
    m_rows = column(nullptr, 8);
    setMargins(m_rows, 20, 16, 20, 16);
    m_rows->addWidget(new Label(title, TextRole::Title));
    m_words->setWordWrap(true);
    m_rows->addWidget(m_words);
    m_fault->setWordWrap(true);
    m_fault->hide();
    m_rows->addWidget(m_fault);
    all->addLayout(m_rows);
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    buttons->addStretch();
    auto* cancel = button(tr("Cancel"));
    m_go = button(go, {}, "primary");
    buttons->addWidget(cancel);
    buttons->addWidget(m_go);
    all->addWidget(footer);
    body()->addWidget(content);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &AskSheet::accept);
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

void AskSheet::take(QWidget* field, std::function<void()> then) {
    m_then = std::move(then);
    field->setAccessibleName(m_words->text());
    m_words->setBuddy(field);
    m_rows->insertWidget(2, field);
    setFirst(field);
}

void AskSheet::askForLine(const QString& text, std::function<void(const QString&)> then,
                          std::function<QString(const QString&)> fault) {
    m_line = new QLineEdit(text);
    m_line->selectAll();
    take(m_line, [this, then = std::move(then)] { then(m_line->text()); });
    if (!fault) return;
    // Errors show while typing, in space reserved from the beginning.
    m_fault->setMinimumHeight(m_fault->fontMetrics().height());
    m_fault->show();
    const auto judge = [this, fault = std::move(fault)](const QString& typed) {
        const QString why = fault(typed);
        m_fault->setText(why);
        m_go->setEnabled(why.isEmpty());
    };
    connect(m_line, &QLineEdit::textChanged, this, judge);
    judge(text);
}

void AskSheet::askForLines(const QString& text, std::function<void(const QString&)> then) {
    m_lines = new QPlainTextEdit(text);
    m_lines->setTabChangesFocus(true);
    m_lines->setFixedHeight(Theme::current().px(144));
    m_lines->moveCursor(QTextCursor::End);
    take(m_lines, [this, then = std::move(then)] { then(m_lines->toPlainText()); });
}

void AskSheet::askForNumber(int value, int least, int most, std::function<void(int)> then) {
    m_number = new QSpinBox;
    m_number->setRange(least, most);
    m_number->setValue(value);
    m_number->selectAll();
    take(m_number, [this, then = std::move(then)] { then(m_number->value()); });
}

QString AskSheet::words() const { return m_words->text(); }

QString AskSheet::fault() const { return m_fault->text(); }

// Return starts a new line; with Ctrl it presses the button.
void AskSheet::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && event->modifiers().testFlag(Qt::ControlModifier)) accept();
    else Sheet::keyPressEvent(event);
}

// Only once: Ctrl+Return reaches the field and, because the field passes it on, the sheet.
void AskSheet::accept() {
    if (!m_go->isEnabled() || !m_then) return;
    if (m_number != nullptr) m_number->interpretText();
    std::exchange(m_then, {})();
    close();
}

} // namespace trainyard::ui
