// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/host_list_ranks.h"
#include "ui/forms/fields/slurm_fields.h"

#include <QStringList>

class QCheckBox;
class QSpinBox;
class QVBoxLayout;

namespace trainyard::ui {

class HomeField;
class ParamField;

// The hosts of a run as a checklist: a row each, this computer first, with its ranks, or ready as a spare.
class HostList : public QWidget {
    Q_OBJECT
public:
    // `hosts`: aliases, besides this computer.
    explicit HostList(const QStringList& hosts, QWidget* parent = nullptr);

    // Hosts that have no row yet get one.
    void set(const std::vector<spec::HostRanks>& ranks, const std::vector<std::string>& spares);
    // The hosts that train, each with at least one rank.
    std::vector<spec::HostRanks> ranks() const;
    std::vector<std::string> spares() const;
    int workers() const; // the ranks of all

Q_SIGNALS:
    void changed();

private:
    struct Row {
        std::string host; // empty: this computer
        QCheckBox* used;
        QComboBox* role; // null: this computer is no spare
        QSpinBox* ranks;
    };
    void add(const std::string& host);
    void showRow(const Row& row);

    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
};

// The hosts of a run and its home, or its Slurm job.
class WhereFields : public QWidget {
    Q_OBJECT
public:
    // `hosts`: aliases of possible hosts, besides this computer. The other fields stand below.
    WhereFields(const QStringList& hosts, ParamField* workers, ParamField* device, QWidget* parent = nullptr);

    // Those of a run file, after its number of workers was set.
    void setHosts(const std::vector<std::string>& hosts, const std::vector<std::string>& spares);
    std::vector<std::string> hosts() const;
    // Those of the checklist, or else the run file's.
    std::vector<std::string> spares() const;
    // Offers to make it a job.
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions);

    // Shows the fields that the hosts ask for, of a run or a sweep.
    void showFields(bool sweeping);
    std::optional<run::SlurmRequest> slurm() const;
    QString home() const; // the host for its home; empty: this computer

    QComboBox* combo() const { return m_hosts; }
    HostList* list() const { return m_list; }
    SlurmFields* slurmFields() const { return m_slurm; }

Q_SIGNALS:
    void changed();

private:
    bool isJob() const;
    bool isListed() const;
    int workers() const;
    void choose();
    void dealWorkers();
    void takeRanks();

    QComboBox* m_hosts;
    HostList* m_list;
    ParamField* m_workers;
    std::vector<std::string> m_spares; // of the run file
    HomeField* m_home;
    SlurmFields* m_slurm;
};

} // namespace trainyard::ui
