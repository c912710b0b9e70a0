// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/slurm_fields.h"

#include <QStringList>

namespace trainyard::ui {

class HomeField;
class ParamField;

// The hosts of a run and its home, or its Slurm job.
class WhereFields : public QWidget {
    Q_OBJECT
public:
    // `hosts`: aliases of possible hosts, besides this computer. The other fields stand below.
    WhereFields(const QStringList& hosts, ParamField* workers, ParamField* device, QWidget* parent = nullptr);

    // Those of a run file.
    void setHosts(const std::vector<std::string>& hosts);
    std::vector<std::string> hosts() const;
    // Offers to make it a job.
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions);

    // Shows the fields that the hosts ask for, of a run or a sweep.
    void showFields(bool sweeping);
    std::optional<run::SlurmRequest> slurm() const;
    QString home() const; // the host for its home; empty: this computer

    QComboBox* combo() const { return m_hosts; }
    SlurmFields* slurmFields() const { return m_slurm; }

Q_SIGNALS:
    void changed();

private:
    bool isJob() const;

    QComboBox* m_hosts;
    HomeField* m_home;
    SlurmFields* m_slurm;
};

} // namespace trainyard::ui
