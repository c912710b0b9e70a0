// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/checkpoints/prune_sheet.h"

#include "engine/base/clock.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/checkpoints/checkpoints_model.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>

#include <set>

namespace trainyard::ui {

namespace {

enum PruneColumn { PruneRun, PruneCheckpoint, PruneSaved, PruneSize, PruneColumns };
constexpr int kMostRows = 2000; // in the table only; Delete deletes everything in the plan

QStandardItem* pruneCell(const QString& text, Qt::Alignment alignment = Qt::AlignLeft) {
    auto* cell = new QStandardItem(text);
    cell->setTextAlignment(alignment | Qt::AlignVCenter);
    cell->setEditable(false);
    return cell;
}

QSpinBox* pruneNumber(int value, int most, const QString& name) {
    auto* field = new QSpinBox;
    field->setRange(0, most);
    field->setValue(value);
    field->setAccessibleName(name);
    field->setFixedWidth(Theme::current().px(104));
    return field;
}

Result<run::PrunePlan> planOf(const store::Workspace& workspace, const std::vector<std::string>& ids,
                              const run::PruneRule& rule) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto runs, run::listCheckpoints(*query, false));
    const std::set<std::string> chosen(ids.begin(), ids.end());
    std::erase_if(runs, [&](const auto& each) { return !chosen.contains(each.run.id); });
    return run::planPrune(*query, runs, rule);
}

} // namespace

PruneSheet::PruneSheet(Workbench& bench, QWidget* window, const QStringList& runs, bool filtered)
    : Sheet(window, QSize(760, 600)), m_bench(bench), m_model(new QStandardItemModel(0, PruneColumns, this)) {
    for (const QString& run : runs) m_runs.push_back(run.toStdString());
    panel()->setAccessibleName(tr("Prune checkpoints"));
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 20, 8, 8, 8);
    top->addWidget(new Label(tr("Prune checkpoints"), TextRole::Title));
    top->addStretch();
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_model->setHorizontalHeaderLabels({tr("Run"), tr("Checkpoint"), tr("Saved"), tr("Size")});
    m_model->horizontalHeaderItem(PruneSize)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table = plainTable(m_model, tr("Checkpoints to delete"));
    body()->addWidget(head);
    body()->addWidget(buildRule(filtered));
    body()->addWidget(m_table, 1);
    body()->addWidget(buildFooter());
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    connect(&bench.feed, &WorkspaceFeed::anyCheckpointsChanged, this, &PruneSheet::plan);
    setFirst(m_best);
    plan();
}

QWidget* PruneSheet::buildRule(bool filtered) {
    auto* panel = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* layout = column(panel, 8);
    setMargins(layout, 20, 12, 20, 12);
    const auto count = static_cast<int>(m_runs.size());
    layout->addWidget(
        new Label((filtered ? tr("In the %n filtered runs", nullptr, count) : tr("In all %n runs", nullptr, count)) +
                      tr("; pinned checkpoints stay, and so do those of active runs and sweeps."),
                  TextRole::Secondary));
    m_best = pruneNumber(1, 1000, tr("Keep the best of each run"));
    m_last = pruneNumber(1, 1000, tr("Keep the newest of each run"));
    m_days = pruneNumber(0, 3650, tr("Only those older than this many days"));
    m_days->setSpecialValueText(tr("any age"));
    m_days->setSuffix(tr(" days"));
    auto* line = row(nullptr, 8);
    const auto add = [&](const QString& title, QSpinBox* field) {
        auto* label = new Label(title, TextRole::Body);
        label->setBuddy(field);
        line->addWidget(label);
        line->addWidget(field);
        line->addSpacing(Theme::current().px(12));
        connect(field, &QSpinBox::valueChanged, this, &PruneSheet::plan);
    };
    add(tr("Keep the best"), m_best);
    add(tr("the newest"), m_last);
    add(tr("older than"), m_days);
    line->addStretch();
    layout->addLayout(line);
    m_unfinished = new Switch(tr("Also prune stopped, failed and interrupted runs; their newest checkpoint stays"));
    connect(m_unfinished, &QAbstractButton::toggled, this, &PruneSheet::plan);
    layout->addWidget(m_unfinished, 0, Qt::AlignLeft);
    return panel;
}

QWidget* PruneSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* line = row(footer, 8);
    setMargins(line, 20, 11, 20, 10);
    auto* words = column(nullptr);
    m_summary = new Label(QString(), TextRole::Heading);
    m_shared = new Label(QString(), TextRole::SmallSecondary);
    m_shared->setWordWrap(true);
    words->addWidget(m_summary);
    words->addWidget(m_shared);
    line->addLayout(words, 1);
    auto* cancel = button(tr("Cancel"));
    m_go = button(tr("Delete"), {}, "danger");
    line->addWidget(cancel);
    line->addWidget(m_go);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &PruneSheet::prune);
    return footer;
}

run::PruneRule PruneSheet::rule() const {
    run::PruneRule rule{{.best = m_best->value(), .last = m_last->value()}, !m_unfinished->isChecked()};
    if (m_days->value() > 0) rule.keep.savedBefore = wallClockMs() - 86'400'000LL * m_days->value();
    return rule;
}

void PruneSheet::plan() {
    m_go->setEnabled(false);
    inBackground(
        this,
        [workspace = m_bench.feed.workspace(), runs = m_runs, asked = rule()] {
            return planOf(workspace, runs, asked);
        },
        [this, number = ++m_asked](const Result<run::PrunePlan>& plan) {
            if (number == m_asked) take(plan);
        });
}

void PruneSheet::take(const Result<run::PrunePlan>& plan) {
    m_model->removeRows(0, m_model->rowCount());
    if (!plan) {
        m_summary->setText(QString::fromStdString(plan.error().text()));
        return;
    }
    m_plan = *plan;
    for (const auto& planned : m_plan.runs)
        for (const auto& each : planned.checkpoints) {
            if (each.kept != run::KeptFor::No || m_model->rowCount() >= kMostRows) continue;
            m_model->appendRow({pruneCell(QString::fromStdString(planned.run.name)),
                                pruneCell(QStringLiteral("%1, %2").arg(checkpointTitle(each.row), keptText(each.row))),
                                pruneCell(clockText(each.row.wallMs)),
                                pruneCell(bytesText(static_cast<double>(each.row.bytes)), Qt::AlignRight)});
        }
    for (const int column : {PruneCheckpoint, PruneSaved, PruneSize})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_summary->setText(m_plan.deletes == 0 ? tr("Nothing to delete")
                                           : tr("%n checkpoints, frees %1", nullptr, m_plan.deletes)
                                                 .arg(bytesText(static_cast<double>(m_plan.freedBytes))));
    m_shared->setText(m_plan.sharedBytes == 0
                          ? QString()
                          : tr("%1 more stay on the disk because forks, trials or the queue need them")
                                .arg(bytesText(static_cast<double>(m_plan.sharedBytes))));
    m_shared->setVisible(m_plan.sharedBytes > 0);
    m_go->setText(m_plan.deletes == 0 ? tr("Delete") : tr("Delete %n checkpoints", nullptr, m_plan.deletes));
    m_go->setEnabled(m_plan.deletes > 0);
}

void PruneSheet::prune() {
    m_bench.actions.prune(m_plan);
    close();
}

} // namespace trainyard::ui
