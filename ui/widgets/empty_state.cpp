// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout.h"

#include <QPushButton>

namespace trainyard::ui {

EmptyState::EmptyState(const QString& what, const QString& why, const QString& action, const QString& iconName,
                       QWidget* parent)
    : QWidget(parent) {
    const Theme& theme = Theme::current();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new Label(what, TextRole::Heading);
    line->setMinimumHeight(theme.px(20));
    column->addWidget(line);
    column->addSpacing(theme.px(2));
    auto* reason = new Label(why, TextRole::Secondary);
    reason->setWordWrap(true);
    column->addWidget(reason);
    if (!action.isEmpty()) {
        column->addSpacing(theme.px(10));
        m_button = new QPushButton(action);
        if (!iconName.isEmpty()) setButtonIcon(m_button, iconName);
        connect(m_button, &QPushButton::clicked, this, &EmptyState::triggered);
        column->addWidget(m_button, 0, Qt::AlignLeft);
    }
    setAccessibleName(what);
    setAccessibleDescription(why);
}

EmptyPage::EmptyPage(EmptyState* state, QWidget* parent) : QWidget(parent), m_line(row()) {
    auto* layout = column(this);
    setMargins(layout, 24, 84, 24, 24);
    m_line->addStretch(); // an aligned widget would be too low for its text
    m_line->addStretch();
    layout->addLayout(m_line);
    layout->addStretch();
    if (state) setState(state);
}

void EmptyPage::setState(EmptyState* state) {
    if (m_state != nullptr) {
        m_state->hide(); // before it loses its parent: else its layout would still show it, as a window of its own
        m_state->setParent(nullptr);
        m_state->deleteLater();
    }
    m_state = state;
    state->setMaximumWidth(Theme::current().px(480));
    m_line->insertWidget(1, state, 100);
}

} // namespace trainyard::ui
