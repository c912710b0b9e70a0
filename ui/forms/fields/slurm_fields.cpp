// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/slurm_fields.h"

#include "engine/sweep/control/slurm_sweep.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr int kMostNodes = 4096, kMostGpus = 64; // as in trainyardctl slurm submit

QSpinBox* countBox(int least, int most, const QString& name) {
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setAccessibleName(name);
    return box;
}

} // namespace

SlurmFields::SlurmFields(QWidget* parent) : QWidget(parent) {
    auto* layout = column(this, 4);
    auto* grid = new FormGrid(FormGrid::Varied);
    m_partition = new QComboBox;
    m_partition->setAccessibleName(tr("Partition"));
    grid->addRow(tr("Partition"), m_partition);
    m_nodes = countBox(1, kMostNodes, tr("Nodes"));
    grid->addShort(tr("Nodes"), m_nodes);
    m_time = new QLineEdit;
    m_time->setAccessibleName(tr("Time limit"));
    grid->addShort(tr("Time limit"), m_time);
    m_gpus = countBox(0, kMostGpus, tr("GPUs per node"));
    grid->addShort(tr("GPUs per node"), m_gpus);
    m_requeue = new Switch;
    m_requeue->setAccessibleName(tr("Requeue"));
    m_requeue->setToolTip(tr("Requeue the job when it is preempted or loses a node"));
    m_requeue->setChecked(true);
    grid->addShort(tr("Requeue"), m_requeue);
    m_note = new Label(QString(), TextRole::SmallSecondary);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(FormGrid::fieldStart(), 0, Theme::current().px(VaryToggle::kWidth), 0);
    layout->addWidget(grid);
    layout->addWidget(m_note);
    connect(m_partition, &QComboBox::currentIndexChanged, this, [this] {
        explain();
        Q_EMIT changed();
    });
    for (auto* box : {m_nodes, m_gpus}) connect(box, &QSpinBox::valueChanged, this, &SlurmFields::changed);
    connect(m_time, &QLineEdit::textChanged, this, &SlurmFields::changed);
    connect(m_requeue, &Switch::toggled, this, &SlurmFields::changed);
    hide();
}

void SlurmFields::setPartitions(const std::vector<run::SlurmPartition>& partitions) {
    const QSignalBlocker quiet(m_partition);
    m_partitions = partitions;
    m_partition->clear();
    for (const auto& each : partitions) m_partition->addItem(QString::fromStdString(each.name));
    const auto usual = std::ranges::find(partitions, true, &run::SlurmPartition::isDefault);
    m_partition->setCurrentIndex(usual == partitions.end() ? 0 : static_cast<int>(usual - partitions.begin()));
    explain();
}

void SlurmFields::explain() {
    const auto at = static_cast<std::size_t>(m_partition->currentIndex());
    if (at >= m_partitions.size()) return;
    const auto& partition = m_partitions[at];
    m_nodes->setMaximum(std::max(1, partition.nodes));
    m_gpus->setMaximum(partition.gpusPerNode);
    m_gpus->setEnabled(partition.gpusPerNode > 0);
    m_time->setPlaceholderText(partition.time == "infinite" ? tr("no limit") : QString::fromStdString(partition.time));
    m_note->setText(tr("Training runs inside the Slurm job; you can shut this computer down. The workspace must be on "
                       "a file system that the nodes share."));
}

run::SlurmRequest SlurmFields::request() const {
    run::SlurmRequest request{.partition = m_partition->currentText().toStdString()};
    request.time = m_time->text().trimmed().toStdString();
    request.nodes = m_nodes->value();
    request.gpusPerNode = m_gpus->value();
    request.requeue = m_requeue->isChecked();
    return request;
}

QString SlurmFields::whyNot(const std::optional<spec::SweepSpec>& sweep, bool beginsFromCheckpoint) {
    if (beginsFromCheckpoint) return tr("A Slurm job cannot start from a checkpoint");
    const auto possible = sweep ? sweep::mayBeArray(*sweep) : Result<void>();
    return possible ? QString() : QString::fromStdString(possible.error().text());
}

} // namespace trainyard::ui
