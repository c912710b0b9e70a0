// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/card_columns.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kCardGap = 12; // design pixels

} // namespace

CardColumns::CardColumns(const QList<QWidget*>& cards, int least, QWidget* parent)
    : QWidget(parent), m_cards(cards), m_least(least), m_grid(new QGridLayout(this)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(Theme::current().px(kCardGap));
    for (QWidget* card : std::as_const(m_cards)) {
        card->setParent(this);
        card->installEventFilter(this);
    }
    arrange();
}

void CardColumns::arrange() {
    const Theme& theme = Theme::current();
    QList<QWidget*> shown;
    for (QWidget* card : std::as_const(m_cards))
        if (!card->isHidden()) shown << card;
    const int fit = (width() + theme.px(kCardGap)) / theme.px(m_least + kCardGap);
    const int columns = std::clamp(fit, 1, std::max(1, static_cast<int>(shown.size())));
    const bool same = columns == m_columns && shown == m_shown;
    if (same) return;
    m_columns = columns;
    m_shown = shown;
    for (QWidget* card : std::as_const(m_cards)) m_grid->removeWidget(card);
    for (int i = 0; i < shown.size(); ++i) {
        const bool isLast = i + 1 == shown.size();
        m_grid->addWidget(shown[i], i / columns, i % columns, 1, isLast ? columns - i % columns : 1);
    }
    for (int i = 0; i < m_cards.size(); ++i) m_grid->setColumnStretch(i, i < columns ? 1 : 0);
}

bool CardColumns::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) arrange();
    return QWidget::eventFilter(watched, event);
}

void CardColumns::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace trainyard::ui
