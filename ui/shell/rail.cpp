// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

#include "ui/pages/page_table.h"
#include "ui/widgets/rail_button.h"

namespace trainyard::ui {

Rail::Rail(Workbench& bench, QWidget* parent) : Surface(SurfaceColor::Window, RightEdge, parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    setFixedWidth(theme.px(48));
    auto* layout = column(this, 4);
    setMargins(layout, 6, 6, 6, 8);
    m_menu = iconButton(QStringLiteral("menu"), tr("Menu"), QStringLiteral("F10"));
    m_menu->setFixedSize(theme.px(36), theme.px(32));
    m_menu->setPopupMode(QToolButton::InstantPopup);
    layout->addWidget(m_menu);
    layout->addSpacing(theme.px(6));

    for (int i = 0; i < static_cast<int>(pages().size()); ++i) {
        const Page& page = pages()[static_cast<std::size_t>(i)];
        if (page.atEnd && !pages()[static_cast<std::size_t>(i) - 1].atEnd) layout->addStretch();
        auto* entry = new RailButton(QLatin1String(page.icon), pageTitle(page), pageKeys(i));
        entry->setCheckable(true);
        connect(entry, &QAbstractButton::clicked, this, [this, i, id = page.id] {
            setPage(i); // a click on the current page must not leave it unchecked
            Q_EMIT pageChosen(QLatin1String(id));
        });
        layout->addWidget(entry);
        m_buttons << entry;
    }
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &Rail::showActivity);
}

void Rail::setPage(int index) {
    for (int i = 0; i < m_buttons.size(); ++i) m_buttons[i]->setChecked(i == index);
}

void Rail::showActivity() {
    QColor dot;
    for (const auto& run : m_bench.feed.runs()) {
        if (run->active() && run->status != wire::RunStatus::Queued) {
            dot = Theme::current().curve(run->color);
            break;
        }
    }
    m_buttons[pageIndex(PageId::runs)]->setDot(dot);
}

} // namespace trainyard::ui
