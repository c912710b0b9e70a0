// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/where_fields.h"

#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/sections.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/fields/home_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace trainyard::ui {

namespace {

enum HostRole { Trains, Spare };

constexpr int kRanksWidth = 104, kRoleWidth = 104;

QStringList slurmHosts() { return {QLatin1String(spec::kSlurmHost)}; }

// The entry that shows the checklist; no host is called that.
QStringList chosenHosts() { return {QString()}; }

std::vector<std::string> fromQt(const QStringList& words) {
    std::vector<std::string> list;
    for (const QString& word : words) list.push_back(word.toStdString());
    return list;
}

} // namespace

HostList::HostList(const QStringList& hosts, QWidget* parent) : QWidget(parent), m_layout(column(this, 2)) {
    m_layout->setContentsMargins(FormGrid::fieldStart(), 0, Theme::current().px(VaryToggle::kWidth), 0);
    add({});
    for (const QString& host : hosts) add(host.toStdString());
}

void HostList::add(const std::string& host) {
    const Theme& theme = Theme::current();
    const QString name = host.empty() ? tr("This computer") : QString::fromStdString(host);
    const Row made{host, new QCheckBox(name), host.empty() ? nullptr : new QComboBox, new QSpinBox};
    made.used->setMinimumHeight(theme.px(28));
    made.ranks->setRange(1, static_cast<int>(spec::kMaxWorkers));
    made.ranks->setFixedWidth(theme.px(kRanksWidth));
    made.ranks->setAccessibleName(tr("Ranks of %1").arg(name));
    auto* line = row(nullptr, 8);
    line->addWidget(made.used, 1);
    if (made.role) {
        made.role->addItems({tr("Trains"), tr("Spare")});
        made.role->setItemData(Spare, tr("Takes the place of a host that is lost"), Qt::ToolTipRole);
        made.role->setFixedWidth(theme.px(kRoleWidth));
        made.role->setAccessibleName(tr("Use of %1").arg(name));
        line->addWidget(made.role);
    }
    // Keeps its room, so that no row moves.
    for (QWidget* each : std::initializer_list<QWidget*>{made.role, made.ranks}) {
        if (!each) continue;
        QSizePolicy policy = each->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        each->setSizePolicy(policy);
    }
    line->addWidget(made.ranks);
    m_layout->addLayout(line);
    m_rows.push_back(made);
    const auto tell = [this, made] {
        showRow(made);
        Q_EMIT changed();
    };
    connect(made.used, &QCheckBox::toggled, this, tell);
    connect(made.ranks, &QSpinBox::valueChanged, this, tell);
    if (made.role) connect(made.role, &QComboBox::currentIndexChanged, this, tell);
    showRow(made);
}

void HostList::showRow(const Row& row) {
    const bool used = row.used->isChecked();
    row.ranks->setSuffix(QLatin1Char(' ') + (row.ranks->value() == 1 ? tr("rank") : tr("ranks")));
    if (row.role) row.role->setVisible(used);
    row.ranks->setVisible(used && (!row.role || row.role->currentIndex() == Trains));
}

void HostList::set(const std::vector<spec::HostRanks>& ranks, const std::vector<std::string>& spares) {
    const QSignalBlocker quiet(this);
    const auto ensure = [this](const std::string& host) {
        if (std::ranges::find(m_rows, host, &Row::host) == m_rows.end()) add(host);
    };
    for (const auto& each : ranks) ensure(each.host);
    for (const auto& spare : spares) ensure(spare);
    for (const Row& row : m_rows) {
        const auto trains = std::ranges::find(ranks, row.host, &spec::HostRanks::host);
        const bool isSpare = std::ranges::find(spares, row.host) != spares.end();
        row.used->setChecked(trains != ranks.end() || isSpare);
        row.ranks->setValue(trains != ranks.end() ? trains->ranks : 1);
        if (row.role) row.role->setCurrentIndex(isSpare && trains == ranks.end() ? Spare : Trains);
        showRow(row);
    }
}

std::vector<spec::HostRanks> HostList::ranks() const {
    std::vector<spec::HostRanks> all;
    for (const Row& row : m_rows)
        if (row.used->isChecked() && (!row.role || row.role->currentIndex() == Trains))
            all.push_back({row.host, row.ranks->value()});
    return all;
}

std::vector<std::string> HostList::spares() const {
    std::vector<std::string> all;
    for (const Row& row : m_rows)
        if (row.used->isChecked() && row.role && row.role->currentIndex() == Spare) all.push_back(row.host);
    return all;
}

int HostList::workers() const {
    int sum = 0;
    for (const auto& each : ranks()) sum += each.ranks;
    return sum;
}

WhereFields::WhereFields(const QStringList& hosts, ParamField* workers, ParamField* device, QWidget* parent)
    : QWidget(parent), m_hosts(new QComboBox), m_list(new HostList(hosts)), m_workers(workers), m_home(new HomeField),
      m_slurm(new SlurmFields) {
    m_hosts->setAccessibleName(tr("Hosts"));
    m_hosts->addItem(tr("This computer"), QStringList());
    for (const QString& host : hosts) m_hosts->addItem(host, QStringList{host});
    if (hosts.size() > 1) m_hosts->addItem(tr("All hosts: %1").arg(hosts.join(QStringLiteral(", "))), hosts);
    if (!hosts.isEmpty()) m_hosts->addItem(tr("Choose hosts…"), chosenHosts());
    auto* top = new FormGrid(FormGrid::Varied);
    top->addRow(tr("Hosts"), m_hosts);
    auto* grid = new FormGrid(FormGrid::Varied);
    grid->addParam(workers, {QString::fromStdString(workers->info().name)});
    grid->addParam(device, {});
    auto* layout = column(this, 4);
    for (QWidget* each : std::initializer_list<QWidget*>{top, m_list, grid, m_home, m_slurm}) layout->addWidget(each);
    m_list->hide();
    connect(m_hosts, &QComboBox::activated, this, &WhereFields::choose);
    connect(m_list, &HostList::changed, this, &WhereFields::takeRanks);
    connect(m_workers, &ParamField::changed, this, &WhereFields::dealWorkers);
    connect(m_home, &HomeField::changed, this, &WhereFields::changed);
    connect(m_slurm, &SlurmFields::changed, this, &WhereFields::changed);
}

bool WhereFields::isListed() const { return m_hosts->currentData().toStringList() == chosenHosts(); }

int WhereFields::workers() const {
    const auto value = m_workers->value();
    const auto* count = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return count ? static_cast<int>(std::clamp<std::int64_t>(*count, 1, spec::kMaxWorkers)) : 1;
}

// The checklist begins with the hosts of the entry before.
void WhereFields::choose() {
    if (!isListed()) m_list->set(spec::ranksOfHosts(hosts(), workers()), {});
    m_list->setVisible(isListed());
    Q_EMIT changed();
}

// Another number of workers is dealt evenly to the same hosts. Fewer than hosts are the beginning of a larger number.
void WhereFields::dealWorkers() {
    std::vector<std::string> hosts;
    for (const auto& each : m_list->ranks()) hosts.push_back(each.host);
    if (isListed() && workers() >= static_cast<int>(hosts.size()))
        m_list->set(spec::ranksOfHosts(hosts, workers()), m_list->spares());
}

void WhereFields::takeRanks() {
    if (const int all = m_list->workers(); all > 0) m_workers->setValue(std::int64_t{all});
    Q_EMIT changed();
}

void WhereFields::setHosts(const std::vector<std::string>& hosts, const std::vector<std::string>& spares) {
    m_spares = spares;
    QStringList wanted;
    for (const auto& host : hosts) wanted << QString::fromStdString(host);
    const auto ranks = spec::ranksOfHosts(hosts, workers());
    m_list->set(ranks, spares);
    // Not in a job's nodes, nor in hosts without a rank or in another order.
    const bool isListable =
        std::none_of(hosts.begin(), hosts.end(), spec::isSlurmHost) && spec::hostsWithRanks(ranks) == hosts;
    int at = spares.empty() || !isListable ? m_hosts->findData(wanted) : -1;
    if (at < 0 && !isListable) {
        m_hosts->addItem(wanted.join(QStringLiteral(", ")), wanted);
        at = m_hosts->count() - 1;
    } else if (at < 0) {
        if (m_hosts->findData(chosenHosts()) < 0) m_hosts->addItem(tr("Choose hosts…"), chosenHosts());
        at = m_hosts->findData(chosenHosts());
    }
    m_hosts->setCurrentIndex(at);
    m_list->setVisible(isListed());
}

std::vector<std::string> WhereFields::hosts() const {
    return isListed() ? spec::hostsWithRanks(m_list->ranks()) : fromQt(m_hosts->currentData().toStringList());
}

std::vector<std::string> WhereFields::spares() const { return isListed() ? m_list->spares() : m_spares; }

void WhereFields::offerSlurm(const std::vector<run::SlurmPartition>& partitions) {
    m_slurm->setPartitions(partitions);
    const int known = m_hosts->findData(slurmHosts()); // a host that the run file names
    if (known >= 0) m_hosts->setItemText(known, tr("Slurm cluster"));
    else m_hosts->addItem(tr("Slurm cluster"), slurmHosts());
}

bool WhereFields::isJob() const { return m_hosts->currentData().toStringList() == slurmHosts(); }

// A run may live on one of its hosts, unless this computer has ranks.
void WhereFields::showFields(bool sweeping) {
    QStringList others;
    bool isHere = isJob();
    for (const auto& host : hosts()) {
        isHere = isHere || spec::isThisComputer(host);
        if (!others.contains(QString::fromStdString(host))) others << QString::fromStdString(host);
    }
    m_slurm->setVisible(isJob());
    m_home->setHosts(isHere ? QStringList() : others, sweeping);
}

std::optional<run::SlurmRequest> WhereFields::slurm() const {
    return isJob() ? std::optional(m_slurm->request()) : std::nullopt;
}

QString WhereFields::home() const { return m_home->home(); }

} // namespace trainyard::ui
