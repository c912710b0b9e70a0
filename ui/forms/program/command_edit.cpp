// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/command_edit.h"

#include "engine/program/line/word_split.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kLeastLines = 2, kMostLines = 6; // beyond, it scrolls

} // namespace

CommandEdit::CommandEdit(QWidget* parent)
    : QWidget(parent), m_before(new NumberLabel(TextRole::Mono)), m_edit(new QPlainTextEdit),
      m_error(new Label(QString(), TextRole::SmallError)) {
    const Theme& theme = Theme::current();
    auto* layout = column(this, 4);
    m_before->setAlignment(Qt::AlignLeft);
    m_edit->setAccessibleName(tr("Command line"));
    m_edit->setPlaceholderText(tr("no arguments"));
    m_edit->setTabChangesFocus(true);
    m_edit->setFont(theme.mono);
    m_edit->document()->setDocumentMargin(theme.px(7)); // as a line edit has it
    m_edit->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_edit->installEventFilter(this);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_error->setWordWrap(true);
    m_error->hide();
    layout->addWidget(m_before);
    layout->addWidget(m_edit);
    layout->addWidget(m_error);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &CommandEdit::read);
    connect(&ThemeController::instance(), &ThemeController::changed, this, [this] {
        m_edit->setFont(Theme::current().mono);
        fit();
    });
    connect(m_edit->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &CommandEdit::fit);
    fit();
}

// As high as its lines, within limits.
void CommandEdit::fit() {
    const int lines = static_cast<int>(m_edit->document()->size().height()); // a plain text's height is in lines
    const qreal inner = std::clamp(lines, kLeastLines, kMostLines) * m_edit->fontMetrics().lineSpacing() +
                        2 * m_edit->document()->documentMargin();
    const int height = static_cast<int>(std::ceil(inner)) + 2 * m_edit->frameWidth() + 2;
    if (height != m_edit->minimumHeight()) m_edit->setFixedHeight(height);
}

void CommandEdit::setBefore(const QString& text, const QString& full) {
    m_before->setText(text);
    m_before->setToolTip(full);
}

void CommandEdit::setWords(const std::vector<std::string>& words) {
    const auto now = program::splitWords(m_edit->toPlainText().toStdString());
    if (now && *now == words) return;
    if (!now && m_edit->hasFocus()) return; // it is being typed
    const QSignalBlocker quiet(m_edit);
    m_edit->setPlainText(QString::fromStdString(program::joinWords(words)));
    setError({});
}

void CommandEdit::setError(const QString& message) {
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    setKind(m_edit, message.isEmpty() ? "" : "error");
}

QString CommandEdit::error() const { return m_error->text(); }

void CommandEdit::read() {
    const auto words = program::splitWords(m_edit->toPlainText().toStdString());
    setError(words ? QString() : QString::fromStdString(words.error().text()));
    if (words) Q_EMIT edited(*words);
    else Q_EMIT refused();
}

bool CommandEdit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isEnter && key->modifiers() == Qt::NoModifier) {
            Q_EMIT finished();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard::ui
