// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheets/confirm_sheet.h"

#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QPushButton>

namespace trainyard::ui {

ConfirmSheet::ConfirmSheet(QWidget* parent, const QString& title, const QString& words, const QString& go)
    : Sheet(coveredBy(parent), QSize(460, 420)), m_words(words), m_go(button(go, {}, "primary")) {
    setFitsContent();
    panel()->setAccessibleName(title);
    panel()->setAccessibleDescription(words);
    auto* content = new QWidget;
    auto* all = column(content);
    auto* rows = column(nullptr, 12);
    setMargins(rows, 20, 16, 20, 16);
    auto* heading = new Label(title, TextRole::Title);
    auto* told = new Label(words, TextRole::Secondary);
    for (Label* each : {heading, told}) {
        each->setWordWrap(true);
        rows->addWidget(each);
    }
    all->addLayout(rows);
    all->addStretch();
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    auto* cancel = button(tr("Cancel"));
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_go);
    all->addWidget(footer);
    body()->addWidget(content);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, [this] {
        Q_EMIT confirmed();
        close();
    });
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    setFirst(cancel);
}

} // namespace trainyard::ui
