// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/filter_field.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>

namespace trainyard::ui {

FilterField::FilterField(std::function<const run::FilterNames&()> names, run::FilterValues values, QWidget* parent)
    : UnitEdit(QString(), parent), m_names(std::move(names)), m_values(std::move(values)),
      m_words(new QStringListModel(this)), m_completer(new QCompleter(m_words, this)) {
    setLeadingIcon(QStringLiteral("filter"));
    setPlaceholderText(tr("Filter: lr<0.1 and tag:x"));
    setClearButtonEnabled(true);
    setAccessibleName(tr("Filter the runs"));
    setToolTip(tr("Searches name, status, model, dataset, tags and notes.\nlr<0.1   val/accuracy>0.9   "
                  "train/loss.last<0.2   lr in 0.01..0.1   status:failed   tag:x\nCombine with “and”, “or”, “not” and "
                  "brackets; a metric means its best value.  Ctrl+F"));
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setWidget(this);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FilterField::take);
    connect(this, &QLineEdit::textEdited, this, &FilterField::offer);
}

QStringList FilterField::offered() const {
    return m_completer->popup()->isVisible() ? m_words->stringList() : QStringList();
}

void FilterField::keyPressEvent(QKeyEvent* event) {
    const auto* popup = m_completer->popup();
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool leaves =
        popup->isVisible() ? isEnter && !popup->currentIndex().isValid() : isEnter || event->key() == Qt::Key_Down;
    if (!leaves) return UnitEdit::keyPressEvent(event);
    m_completer->popup()->hide();
    Q_EMIT left();
}

void FilterField::offer() {
    const QByteArray before = text().left(cursorPosition()).toUtf8();
    const auto completion =
        run::completeFilter(before.toStdString(), static_cast<std::size_t>(before.size()), m_names(), m_values);
    QStringList words;
    for (const std::string& word : completion.words) words << QString::fromStdString(word);
    m_from = QString::fromUtf8(before.left(static_cast<qsizetype>(completion.from))).size();
    m_words->setStringList(words);
    if (words.isEmpty() || !hasFocus()) return m_completer->popup()->hide();
    m_completer->complete();
}

void FilterField::take(const QString& word) {
    const qsizetype end = cursorPosition();
    const QString now = text();
    setText(now.left(m_from) + word + now.mid(end));
    setCursorPosition(static_cast<int>(m_from + word.size()));
    if (QStringLiteral("<>=:").contains(word.back())) // now its values
        QMetaObject::invokeMethod(this, &FilterField::offer, Qt::QueuedConnection);
}

} // namespace trainyard::ui
