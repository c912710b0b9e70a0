// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

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

    const struct {
        const char* icon;
        QString name;
    } places[] = {{"home", tr("Home")},       {"runs", tr("Runs")},
                  {"sweeps", tr("Sweeps")},   {"data", tr("Data and models")},
                  {"cluster", tr("Cluster")}, {"settings", tr("Settings")}};
    for (int place = 0; place < PlaceCount; ++place) {
        if (place == SettingsPlaceId) layout->addStretch();
        auto* entry = new RailButton(QLatin1String(places[place].icon), places[place].name,
                                     QStringLiteral("Ctrl+%1").arg(place + 1));
        entry->setCheckable(true);
        connect(entry, &QAbstractButton::clicked, this, [this, place] {
            setPlace(place); // a click on the current place must not leave it unchecked
            Q_EMIT placeChosen(place);
        });
        layout->addWidget(entry);
        m_buttons << entry;
    }
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &Rail::showActivity);
}

void Rail::setPlace(int place) {
    for (int i = 0; i < m_buttons.size(); ++i) m_buttons[i]->setChecked(i == place);
}

void Rail::showActivity() {
    QColor dot;
    for (const auto& run : m_bench.feed.runs()) {
        if (run->active() && run->status != wire::RunStatus::Queued) {
            dot = Theme::current().curve(run->row.colorIndex);
            break;
        }
    }
    m_buttons[RunsPlaceId]->setDot(dot);
}

} // namespace trainyard::ui
