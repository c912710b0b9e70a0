// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of runs offers to choose from: its columns and its grouping.
#include "ui/pages/runs/table/runs_view.h"
#include "ui/pages/shared/run_choices.h"

#include <QHeaderView>
#include <QMenu>

namespace trainyard::ui {

namespace {

const QString kStandardKey = QStringLiteral("standard");

} // namespace

ChoicePicker* RunsView::columnPicker() {
    QList<Choice> choices{{kStandardKey, tr("Standard columns"), {}, {}}};
    choices += columnChoices(m_model, m_bench.catalog.catalog().get());
    auto* picker = new ChoicePicker(tr("Choose the columns"), choices, ChoicePicker::Choose::Several, this);
    rememberChoices(*picker, QStringLiteral("columns"));
    connect(picker, &ChoicePicker::chosen, this, [this, picker](const QString& key, bool wanted) {
        if (key == kStandardKey) {
            picker->close();
            return setColumns(standardColumns());
        }
        const RunColumn column = columnsFromText({key}).last();
        QList<RunColumn> columns = m_model.columns();
        columns.removeIf([&](const RunColumn& each) { return each.isSame(column); });
        if (wanted) columns << column;
        setColumns(columns);
    });
    return picker;
}

ChoicePicker* RunsView::groupPicker() {
    auto* picker = new ChoicePicker(tr("Group the runs"), groupChoices(m_model, m_bench.catalog.catalog().get()),
                                    ChoicePicker::Choose::One, this);
    rememberChoices(*picker, QStringLiteral("grouping"));
    connect(picker, &ChoicePicker::chosen, this, [this](const QString& key) { setGrouping(groupingFromText(key)); });
    return picker;
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
    const QPoint at = header()->mapToGlobal(position);
    menu->addAction(tr("Choose the columns…"), this, [this, at] { columnPicker()->openAt(at); });
    menu->popup(header()->mapToGlobal(position));
}

} // namespace trainyard::ui
