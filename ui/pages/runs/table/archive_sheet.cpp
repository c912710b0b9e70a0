// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/archive_sheet.h"

#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>

namespace trainyard::ui {

namespace {

enum ArchiveColumn { NameColumn, StatusColumn, EndColumn, SizeColumn, ArchiveColumns };
constexpr int kIdRole = Qt::UserRole + 1, kBytesRole = Qt::UserRole + 2;

QStandardItem* archiveCell(const QString& text, Qt::Alignment alignment = Qt::AlignLeft) {
    auto* cell = new QStandardItem(text);
    cell->setTextAlignment(alignment | Qt::AlignVCenter);
    cell->setEditable(false);
    cell->setToolTip(text);
    return cell;
}

} // namespace

ArchiveSheet::ArchiveSheet(Workbench& bench, QWidget* window)
    : Sheet(window, QSize(760, 520)), m_bench(bench), m_model(new QStandardItemModel(0, ArchiveColumns, this)) {
    build();
    connect(&bench.actions, &RunActions::archiveChanged, this, &ArchiveSheet::load);
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    load();
}

void ArchiveSheet::build() {
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 16, 8, 8, 8);
    top->addWidget(new Label(tr("Archived runs"), TextRole::Title));
    m_summary = new Label(QString(), TextRole::Secondary);
    top->addWidget(m_summary, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_model->setHorizontalHeaderLabels({tr("Run"), tr("Status"), tr("Ended"), tr("Disk")});
    m_model->horizontalHeaderItem(SizeColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table = plainTable(m_model, tr("Archived runs"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto* foot = new Surface(SurfaceColor::Panel, TopEdge);
    auto* bottom = row(foot, 8);
    setMargins(bottom, 16, 8, 16, 8);
    m_warning = new Label(QString(), TextRole::SmallError);
    m_all = button(tr("Select all"));
    m_delete = button(tr("Delete permanently"), {}, "danger");
    m_restore = button(tr("Restore"), QStringLiteral("refresh"), "primary");
    bottom->addWidget(m_all);
    bottom->addWidget(m_warning, 1);
    bottom->addWidget(m_delete);
    bottom->addWidget(m_restore);
    body()->addWidget(head);
    body()->addWidget(m_table, 1);
    body()->addWidget(foot);
    setFirst(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ArchiveSheet::refresh);
    connect(m_all, &QPushButton::clicked, m_table, &QTableView::selectAll);
    connect(m_restore, &QPushButton::clicked, this, &ArchiveSheet::restore);
    connect(m_delete, &QPushButton::clicked, this, &ArchiveSheet::deleteRuns);
}

void ArchiveSheet::load() {
    inBackground(
        this, [workspace = m_bench.feed.workspace()] { return run::archivedRuns(workspace); },
        [this](Result<std::vector<run::ArchivedRun>> runs) {
            if (runs) fill(*runs);
            else m_warning->setText(QString::fromStdString(runs.error().text()));
        });
}

void ArchiveSheet::fill(const std::vector<run::ArchivedRun>& runs) {
    m_model->removeRows(0, m_model->rowCount());
    double bytes = 0;
    for (const auto& [row, size] : runs) {
        auto* name = archiveCell(QString::fromStdString(row.name));
        name->setData(QString::fromStdString(row.id), kIdRole);
        name->setData(static_cast<double>(size), kBytesRole);
        m_model->appendRow({name, archiveCell(statusWord(row.status)),
                            archiveCell(clockText(row.finishedMs > 0 ? row.finishedMs : row.createdMs)),
                            archiveCell(bytesText(static_cast<double>(size)), Qt::AlignRight)});
        bytes += static_cast<double>(size);
    }
    const auto count = static_cast<int>(runs.size());
    m_summary->setText(count == 0 ? tr("No archived runs. In the table, Del archives the selected runs.")
                                  : tr("%n runs, %1", nullptr, count).arg(bytesText(bytes)));
    m_table->horizontalHeader()->setSectionResizeMode(StatusColumn, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(EndColumn, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(SizeColumn, QHeaderView::ResizeToContents);
    refresh();
}

QStringList ArchiveSheet::chosen() const {
    QStringList runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) runs << index.data(kIdRole).toString();
    return runs;
}

void ArchiveSheet::refresh() {
    m_sure = false;
    const bool any = !chosen().isEmpty();
    m_restore->setEnabled(any);
    m_delete->setEnabled(any);
    m_all->setEnabled(m_model->rowCount() > 0);
    m_delete->setText(tr("Delete permanently"));
    m_warning->setText({});
}

void ArchiveSheet::restore() { m_bench.actions.setArchived(chosen(), false); }

// The first click says what will be lost, the second deletes it.
void ArchiveSheet::deleteRuns() {
    if (m_sure) return m_bench.actions.deleteForGood(chosen());
    double bytes = 0;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        bytes += index.data(kBytesRole).toDouble();
    m_sure = true;
    const auto count = static_cast<int>(chosen().size());
    m_warning->setText(
        tr("Deletes the points and checkpoints of %n runs and frees %1.", nullptr, count).arg(bytesText(bytes)));
    m_delete->setText(tr("Delete %n runs", nullptr, count));
}

} // namespace trainyard::ui
