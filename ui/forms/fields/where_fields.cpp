// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/where_fields.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/fields/home_field.h"

#include <QComboBox>

#include <algorithm>

namespace trainyard::ui {

namespace {

QStringList slurmHosts() { return {QLatin1String(spec::kSlurmHost)}; }

} // namespace

WhereFields::WhereFields(const QStringList& hosts, ParamField* workers, ParamField* device, QWidget* parent)
    : QWidget(parent), m_hosts(new QComboBox), m_home(new HomeField), m_slurm(new SlurmFields) {
    m_hosts->setAccessibleName(tr("Hosts"));
    m_hosts->addItem(tr("This computer"), QStringList());
    for (const QString& host : hosts) m_hosts->addItem(host, QStringList{host});
    if (hosts.size() > 1) m_hosts->addItem(tr("All hosts: %1").arg(hosts.join(QStringLiteral(", "))), hosts);
    auto* grid = new FormGrid(FormGrid::Varied);
    grid->addRow(tr("Hosts"), m_hosts);
    grid->addParam(workers, {QString::fromStdString(workers->info().name)});
    grid->addParam(device, {});
    auto* layout = column(this, 4);
    for (QWidget* each : std::initializer_list<QWidget*>{grid, m_home, m_slurm}) layout->addWidget(each);
    connect(m_hosts, &QComboBox::activated, this, &WhereFields::changed);
    connect(m_home, &HomeField::changed, this, &WhereFields::changed);
    connect(m_slurm, &SlurmFields::changed, this, &WhereFields::changed);
}

void WhereFields::setHosts(const std::vector<std::string>& hosts) {
    QStringList wanted;
    for (const auto& host : hosts) wanted << QString::fromStdString(host);
    if (m_hosts->findData(wanted) < 0) m_hosts->addItem(wanted.join(QStringLiteral(", ")), wanted);
    m_hosts->setCurrentIndex(m_hosts->findData(wanted));
}

std::vector<std::string> WhereFields::hosts() const {
    std::vector<std::string> hosts;
    for (const QString& host : m_hosts->currentData().toStringList()) hosts.push_back(host.toStdString());
    return hosts;
}

void WhereFields::offerSlurm(const std::vector<run::SlurmPartition>& partitions) {
    m_slurm->setPartitions(partitions);
    const int known = m_hosts->findData(slurmHosts()); // a host that the run file names
    if (known >= 0) m_hosts->setItemText(known, tr("Slurm cluster"));
    else m_hosts->addItem(tr("Slurm cluster"), slurmHosts());
}

bool WhereFields::isJob() const { return m_hosts->currentData().toStringList() == slurmHosts(); }

// A run may live on one of its hosts, unless this computer has ranks.
void WhereFields::showFields(bool sweeping) {
    QStringList hosts = m_hosts->currentData().toStringList();
    const auto isHere = [](const QString& host) { return spec::isThisComputer(host.toStdString()); };
    if (isJob() || std::any_of(hosts.begin(), hosts.end(), isHere)) hosts.clear();
    m_slurm->setVisible(isJob());
    m_home->setHosts(hosts, sweeping);
}

std::optional<run::SlurmRequest> WhereFields::slurm() const {
    return isJob() ? std::optional(m_slurm->request()) : std::nullopt;
}

QString WhereFields::home() const { return m_home->home(); }

} // namespace trainyard::ui
