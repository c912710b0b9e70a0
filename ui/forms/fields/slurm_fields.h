// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/slurm/partitions.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace trainyard::ui {

class Label;
class Switch;

// The options of a Slurm job. Hidden unless the run is to become one.
class SlurmFields : public QWidget {
    Q_OBJECT
public:
    explicit SlurmFields(QWidget* parent = nullptr);

    void setPartitions(const std::vector<run::SlurmPartition>& partitions);
    run::SlurmRequest request() const;
    // The reason that the form's run or sweep cannot be a job; empty: it can.
    static QString whyNot(const std::optional<spec::SweepSpec>& sweep, bool beginsFromCheckpoint);

Q_SIGNALS:
    void changed();

private:
    void explain();

    std::vector<run::SlurmPartition> m_partitions;
    QComboBox* m_partition;
    QSpinBox *m_nodes, *m_gpus;
    QLineEdit* m_time;
    Switch* m_requeue;
    Label* m_note;
};

} // namespace trainyard::ui
