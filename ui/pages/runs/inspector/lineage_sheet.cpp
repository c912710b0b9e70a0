// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/lineage_sheet.h"

#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QTreeView>

#include <algorithm>

namespace trainyard::ui {

namespace {

using Kind = sweep::LineageEntry::Kind;
constexpr int kRunRole = Qt::UserRole + 1;
constexpr int kSpareRows = 1, kOutside = 160; // kOutside: design pixels of the window that are not rows
enum LineageColumn { LineageRun, LineageStatus, LineageChanges, LineageColumns };

QString kindWords(const sweep::LineageEntry& entry) {
    switch (entry.kind) {
    case Kind::Run: return entry.name.empty() ? LineageSheet::tr("deleted run") : QString();
    case Kind::Sweep: return LineageSheet::tr("sweep");
    case Kind::Trial: return LineageSheet::tr("trial %1").arg(entry.trial);
    case Kind::Fork:
        return entry.step < 0 ? LineageSheet::tr("fork")
                              : LineageSheet::tr("fork of step %1").arg(countText(static_cast<double>(entry.step)));
    case Kind::Resumed: return LineageSheet::tr("resumed from step %1").arg(countText(static_cast<double>(entry.step)));
    case Kind::Adopted: return LineageSheet::tr("adopted trial %1 at %2").arg(entry.donor).arg(digitsText(entry.t, 4));
    }
    return {};
}

QString iconOf(Kind kind) {
    switch (kind) {
    case Kind::Sweep: return QStringLiteral("sweeps");
    case Kind::Fork: return QStringLiteral("fork");
    case Kind::Resumed: return QStringLiteral("play");
    case Kind::Adopted: return QStringLiteral("copy");
    case Kind::Run:
    case Kind::Trial: break;
    }
    return QStringLiteral("runs");
}

QStandardItem* lineageCell(const QString& text) {
    auto* cell = new QStandardItem(text);
    cell->setEditable(false);
    cell->setToolTip(text);
    return cell;
}

} // namespace

LineageSheet::LineageSheet(Workbench& bench, QWidget* window, const QString& run)
    : Sheet(window, QSize(920, 600)), m_bench(bench), m_run(run),
      m_model(new QStandardItemModel(0, LineageColumns, this)) {
    setFitsContent();
    build();
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    load();
}

void LineageSheet::build() {
    panel()->setAccessibleName(tr("Lineage"));
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 16, 8, 8, 8);
    top->addWidget(new Label(tr("Lineage"), TextRole::Title));
    m_summary = new Label(QString(), TextRole::Secondary);
    top->addWidget(m_summary, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_model->setHorizontalHeaderLabels({tr("Run"), tr("Status"), tr("What changed")});
    m_tree = new QTreeView;
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Lineage of the run"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tree->viewport()->setAutoFillBackground(false);
    m_tree->setIndentation(Theme::current().px(20));
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setProperty("seeThrough", true);
    m_tree->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    for (const int column : {1, 2}) m_tree->setItemDelegateForColumn(column, new CellDelegate(false, m_tree));
    body()->addWidget(head);
    body()->addWidget(m_tree, 1);
    setFirst(m_tree);
    connect(m_tree, &QTreeView::activated, this, &LineageSheet::openRun); // Return, or a double click
}

void LineageSheet::load() {
    inBackground(
        this,
        [workspace = m_bench.feed.workspace(), run = m_run.toStdString()]() -> Result<sweep::Lineage> {
            TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
            return sweep::readLineage(*query, run);
        },
        [this](const Result<sweep::Lineage>& lineage) {
            if (lineage) fill(*lineage);
            else m_summary->setText(QString::fromStdString(lineage.error().text()));
        });
}

void LineageSheet::fill(const sweep::Lineage& lineage) {
    const Theme& theme = Theme::current();
    std::vector<QStandardItem*> above{m_model->invisibleRootItem()}; // by depth
    QStandardItem* asked = nullptr;
    for (const auto& entry : lineage.entries) {
        const QString name = entry.kind == Kind::Resumed ? QString() : QString::fromStdString(entry.name);
        const QString words = kindWords(entry);
        auto* cell = lineageCell(name.isEmpty()    ? sentence(words)
                                 : words.isEmpty() ? name
                                                   : tr("%1, %2").arg(name, words));
        cell->setIcon(icon(iconOf(entry.kind)));
        if (entry.kind != Kind::Sweep) cell->setData(QString::fromStdString(entry.id), kRunRole);
        if (entry.asked) {
            cell->setFont(theme.heading);
            asked = cell;
        }
        const bool known = entry.status != wire::RunStatus::Unknown && entry.kind != Kind::Resumed;
        auto* changes = lineageCell(QString::fromStdString(sweep::changesText(entry.changes)));
        changes->setForeground(theme.text2);
        const auto depth = static_cast<std::size_t>(entry.depth);
        above.resize(std::min(above.size(), depth + 1));
        above.back()->appendRow({cell, lineageCell(known ? statusWord(entry.status) : QString()), changes});
        above.push_back(cell);
    }
    m_tree->expandAll();
    m_tree->header()->resizeSections(QHeaderView::ResizeToContents);
    m_tree->setColumnWidth(LineageRun, std::min(m_tree->columnWidth(LineageRun) + theme.px(16), theme.px(440)));
    if (lineage.entries.size() == 1) m_summary->setText(tr("Not forked, resumed or swept."));
    if (lineage.otherTrials > 0)
        m_summary->setText(tr("%n more trials of the sweep are not connected to it", nullptr, lineage.otherTrials));
    if (asked) m_tree->setCurrentIndex(asked->index());
    const int rows = static_cast<int>(lineage.entries.size()) + kSpareRows;
    const int most = std::max(m_tree->sizeHint().height(), height() - theme.px(kOutside));
    m_tree->setMinimumHeight(std::min(m_tree->header()->height() + rows * theme.px(28), most));
    reposition();
}

void LineageSheet::openRun() {
    const QModelIndex at = m_tree->currentIndex();
    const QString run = at.siblingAtColumn(LineageRun).data(kRunRole).toString();
    if (run.isEmpty() || !m_bench.feed.run(run)) return; // a sweep, a deleted run, or an archived one
    m_bench.selection.show(run);
    Q_EMIT m_bench.pageRequested(PageId::runs);
    close();
}

} // namespace trainyard::ui
