// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the table of runs: its columns and its grouping.
#include "engine/run/record/series/system_series.h"
#include "ui/pages/runs/table/runs_view.h"

#include <QActionGroup>
#include <QHeaderView>
#include <QMenu>

namespace trainyard::ui {

namespace {
constexpr qsizetype kMostListed = 12; // settings in the menu itself; a submenu has the others
} // namespace

// An entry that shows or hides a column.
void RunsView::addColumnEntry(QMenu& menu, const RunColumn& column, const QString& text) {
    const QList<RunColumn>& shown = m_model.columns();
    const auto at =
        std::find_if(shown.begin(), shown.end(), [&](const RunColumn& each) { return each.isSame(column); });
    auto* entry = menu.addAction(text.isEmpty() ? columnTitle(column) : text);
    entry->setCheckable(true);
    entry->setChecked(at != shown.end());
    connect(entry, &QAction::triggered, this, [this, column](bool wanted) {
        QList<RunColumn> columns = m_model.columns();
        columns.removeIf([&](const RunColumn& each) { return each.isSame(column); });
        if (wanted) columns << column;
        setColumns(columns);
    });
}

void RunsView::fillColumnMenu(QMenu& menu) {
    auto* series = menu.addMenu(tr("Metrics"));
    auto* system = menu.addMenu(tr("System"));
    for (const std::string& name : m_model.names().series) {
        auto* one = (run::isSystemSeries(name) ? system : series)->addMenu(QString::fromStdString(name));
        for (const run::Aspect aspect : {run::Aspect::Best, run::Aspect::Last, run::Aspect::Min, run::Aspect::Max})
            addColumnEntry(*one, seriesColumn(name, aspect), QLatin1String(run::toString(aspect)));
    }
    series->setEnabled(!series->isEmpty());
    system->setEnabled(!system->isEmpty());
    auto* differing = menu.addMenu(tr("Settings that differ"));
    for (const QString& path : m_model.differingSettings()) addColumnEntry(*differing, settingColumn(path), path);
    differing->setEnabled(!differing->isEmpty());
    auto* all = menu.addMenu(tr("All settings"));
    for (const std::string& path : m_model.names().settings)
        addColumnEntry(*all, settingColumn(QString::fromStdString(path)), QString::fromStdString(path));
    all->setEnabled(!all->isEmpty());
    menu.addSeparator();
    for (const RunColumn& column : plainColumns()) addColumnEntry(menu, column);
    menu.addSeparator();
    menu.addAction(tr("Standard columns"), this, [this] { setColumns(standardColumns()); });
}

void RunsView::fillGroupMenu(QMenu& menu) {
    auto* choice = new QActionGroup(&menu);
    const auto add = [&](QMenu& to, const RunGrouping& grouping, const QString& text) {
        auto* entry = to.addAction(text, this, [this, grouping] { setGrouping(grouping); });
        entry->setCheckable(true);
        entry->setChecked(m_model.grouping() == grouping);
        choice->addAction(entry);
    };
    add(menu, {}, tr("By status"));
    add(menu, {RunGrouping::By::Configuration}, tr("By configuration, over seeds"));
    QStringList paths = m_model.differingSettings();
    if (m_model.grouping().by == RunGrouping::By::Setting && !paths.contains(m_model.grouping().path))
        paths << m_model.grouping().path;
    if (paths.isEmpty()) return;
    menu.addSeparator();
    QMenu& list = paths.size() > kMostListed ? *menu.addMenu(tr("Settings that differ")) : menu;
    for (const QString& path : paths) add(list, {RunGrouping::By::Setting, path}, tr("By %1").arg(path));
}

void RunsView::headerMenu(const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const int column = header()->logicalIndexAt(position);
    if (column > 0 && column < m_model.columns().size()) {
        const RunColumn here = m_model.columns()[column];
        menu->addAction(tr("Remove %1").arg(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()),
                        this, [this, here] {
                            QList<RunColumn> columns = m_model.columns();
                            columns.removeIf([&](const RunColumn& each) { return each.isSame(here); });
                            setColumns(columns);
                        });
        const auto move = [&](const QString& text, int to) {
            auto* entry = menu->addAction(text, this, [this, column, to] {
                QList<RunColumn> columns = m_model.columns();
                columns.move(column, to);
                setColumns(columns);
            });
            entry->setEnabled(to > 0 && to < m_model.columns().size());
        };
        move(tr("Move left"), column - 1);
        move(tr("Move right"), column + 1);
        menu->addSeparator();
    }
    fillColumnMenu(*menu);
    menu->popup(header()->mapToGlobal(position));
}

} // namespace trainyard::ui
