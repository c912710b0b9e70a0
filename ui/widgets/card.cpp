// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace trainyard::ui {

Card::Card(QWidget* parent) : QWidget(parent) {
    m_outer = new QVBoxLayout(this);
    m_outer->setContentsMargins(1, 1, 1, 1);
    m_outer->setSpacing(0);
    m_body = new QVBoxLayout;
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    m_outer->addLayout(m_body, 1);
}

Card::Card(const QString& title, QWidget* parent) : Card(parent) { setTitle(title); }

void Card::ensureHeader() {
    if (m_header != nullptr) return;
    const Theme& theme = Theme::current();
    auto* bar = new QWidget;
    bar->setFixedHeight(theme.px(35));
    m_header = new QHBoxLayout(bar);
    m_header->setContentsMargins(theme.px(11), 0, theme.px(7), 0);
    m_header->setSpacing(theme.px(8));
    m_title = new Label(QString(), TextRole::Heading);
    m_note = new NumberLabel(TextRole::SmallTertiary);
    m_note->setAlignment(Qt::AlignLeft);
    m_note->hide();
    m_header->addWidget(m_title);
    m_header->addWidget(m_note);
    m_header->addStretch(1);
    m_outer->insertWidget(0, bar);
}

void Card::setTitle(const QString& title) {
    ensureHeader();
    m_title->setText(title);
    setAccessibleName(title);
}

void Card::setNote(const QString& note) {
    ensureHeader();
    m_note->setText(note);
    m_note->setToolTip(note); // because it may be mostly hidden
    m_note->setVisible(!note.isEmpty());
}

void Card::addAction(QWidget* action) {
    ensureHeader();
    m_header->addWidget(action);
}

void Card::setAccented(bool on) {
    m_accented = on;
    update();
}

void Card::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 6, theme.card, m_accented ? theme.accent : theme.border, m_accented ? 2 : 1);
}

} // namespace trainyard::ui
