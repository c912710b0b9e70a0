// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/remote_hosts.h"

#include "ui/models/desktop/background.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/text/format.h"
#include "ui/pages/cluster/add_host_panel.h"
#include "ui/pages/cluster/host_use.h"
#include "ui/pages/cluster/sign_in_sheet.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/status_chip.h"

#include <QFileInfo>
#include <QMenu>
#include <QTimer>

#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr int kLookMs = 1000;   // between two reads of the host book and of the runs on the hosts
constexpr int kFreshLooks = 60; // for this many reads, a load that is not measured again stays shown

} // namespace

RemoteHostCard::RemoteHostCard(const remote::HostEntry& host, QWidget* parent)
    : Card(QString::fromStdString(host.alias), parent), m_host(host), m_chip(new StatusChip(tr("Not tested"))),
      m_facts(new Label(QString(), TextRole::SmallSecondary)), m_problem(new Label(QString(), TextRole::SmallError)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setNote(QString::fromStdString(host.label()));
    auto* testButton = iconButton(QStringLiteral("refresh"), tr("Test %1").arg(QString::fromStdString(host.alias)));
    auto* more = iconButton(QStringLiteral("more"), tr("More about %1").arg(QString::fromStdString(host.alias)));
    addAction(m_chip);
    addAction(testButton);
    addAction(more);
    trainyard::ui::setMargins(body(), 12, 0, 12, 12);
    body()->setSpacing(Theme::current().px(6));
    m_facts->setWordWrap(true);
    m_facts->setText(tr("Test the host to see its processor, memory and devices."));
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    m_signIn = button(tr("Sign in…"), QStringLiteral("check"));
    m_signIn->hide();
    m_use = new DeviceRow(QStringLiteral("cpu"), tr("CPU"));
    m_use->hide();
    body()->addWidget(m_facts);
    body()->addWidget(m_use);
    body()->addWidget(m_problem);
    body()->addWidget(m_signIn, 0, Qt::AlignLeft);
    connect(m_signIn, &QPushButton::clicked, this, &RemoteHostCard::signIn);
    connect(testButton, &QToolButton::clicked, this, &RemoteHostCard::test);
    connect(more, &QToolButton::clicked, this, [this, more] {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Test"), this, &RemoteHostCard::test);
        menu->addAction(tr("Remove"), this, [this] { Q_EMIT removeRequested(QString::fromStdString(m_host.alias)); });
        menu->popup(more->mapToGlobal(QPoint(0, more->height())));
    });
}

void RemoteHostCard::test() {
    if (std::exchange(m_busy, true)) return;
    m_chip->setChip(tr("Testing…"), Status::Info);
    inBackground(
        this,
        [host = m_host] {
            remote::ProbeOptions options;
            options.workerProgram = CatalogLoader::workerProgram();
            return remote::probeHost(host, options);
        },
        [this](const remote::HostReport& report) { show(report); });
}

void RemoteHostCard::signIn() {
    m_signIn->setEnabled(false);
    signInBackground(this, m_host, [this](const Result<void>& signedIn) {
        m_signIn->setEnabled(true);
        if (signedIn) return test();
        m_problem->setText(QString::fromStdString(signedIn.error().text()));
        m_problem->show();
    });
}

void RemoteHostCard::showUse(const HostUse& use) {
    m_use->setVisible(!use.users.words.isEmpty());
    use.users.showIn(*m_use);
    if (use.cpuShare && use.measured != m_measured) {
        m_use->setLoad(*use.cpuShare, usedText(static_cast<std::int64_t>(use.memoryBytes), m_memory),
                       m_memory > 0 ? use.memoryBytes / static_cast<double>(m_memory) : 0, use.users.color);
        m_sameFor = 0;
    } else if (++m_sameFor > kFreshLooks || !use.cpuShare) {
        m_use->clearLoad();
    }
    m_measured = use.measured;
}

void RemoteHostCard::show(const remote::HostReport& report) {
    m_busy = false;
    const auto& facts = report.facts;
    m_memory = facts.memoryBytes;
    QStringList words;
    if (!facts.system.empty()) words << QString::fromStdString(facts.system);
    if (facts.cores > 0) words << tr("%1, %n cores", nullptr, facts.cores).arg(QString::fromStdString(facts.processor));
    if (facts.memoryBytes > 0)
        words << tr("%1 of %2 memory free")
                     .arg(bytesText(static_cast<double>(facts.freeMemoryBytes)),
                          bytesText(static_cast<double>(facts.memoryBytes)));
    for (const auto& gpu : facts.gpus) words << QString::fromStdString(gpu.name);
    if (facts.freeDiskBytes > 0) words << tr("%1 disk free").arg(bytesText(static_cast<double>(facts.freeDiskBytes)));
    if (report.over && *report.over != remote::ChannelReason::None)
        words << QString::fromStdString(remote::channelText(*report.over));
    if (!words.isEmpty()) m_facts->setText(words.join(QStringLiteral("  ·  ")));
    QString problem;
    for (const auto& check : report.checks) {
        if (!check.ok) {
            problem = QStringLiteral("%1: %2. %3")
                          .arg(sentence(QString::fromStdString(check.name)), QString::fromStdString(check.detail),
                               sentence(QString::fromStdString(check.fix)));
            break;
        }
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_facts->setVisible(!words.isEmpty() || problem.isEmpty()); // until then it asks for a test
    m_signIn->setVisible(std::ranges::any_of(report.checks, asksToSignIn));
    m_chip->setChip(report.ok() ? tr("Ready") : tr("Not ready"), report.ok() ? Status::Success : Status::Error,
                    report.ok() ? QStringLiteral("check") : QStringLiteral("error"));
    if (report.question) Q_EMIT keyQuestion(*report.question);
}

RemoteHosts::RemoteHosts(Workbench& bench, QVBoxLayout* cards, QWidget* parent)
    : QObject(parent), m_bench(bench), m_cards(cards), m_first(cards->count()), m_panel(new AddHostPanel),
      m_bookFile(QString::fromStdString((remote::configFolder() / "hosts.json").string())) {
    m_panel->hide();
    connect(m_panel, &AddHostPanel::added, this, &RemoteHosts::load);
    auto* look = new QTimer(this);
    connect(look, &QTimer::timeout, this, [this, parent] {
        if (!parent->isVisible()) return;
        loadIfChanged();
        showUse();
    });
    look->start(kLookMs);
}

// A terminal may have added or removed hosts.
void RemoteHosts::loadIfChanged() {
    if (QFileInfo(m_bookFile).lastModified() != m_bookTime) load();
}

void RemoteHosts::showUse() {
    for (auto* card : m_hosts) card->showUse(useOf(card->host(), m_bench.feed.runs(), m_bench.feed.series()));
}

QWidget* RemoteHosts::panel() const { return m_panel; }
void RemoteHosts::openPanel() { m_panel->open(); }

void RemoteHosts::load() {
    m_bookTime = QFileInfo(m_bookFile).lastModified();
    inBackground(
        this, [] { return remote::HostBook::load(); },
        [this](Result<remote::HostBook> book) {
            if (book) fill(*book);
            else Q_EMIT countsChanged(QString::fromStdString(book.error().text()));
        });
}

// An unchanged host keeps its card, with the findings of its test.
void RemoteHosts::fill(const remote::HostBook& book) {
    auto before = std::exchange(m_hosts, {});
    for (const auto& host : book.hosts()) {
        const auto kept = std::ranges::find(before, host, &RemoteHostCard::host);
        RemoteHostCard* card = kept != before.end() ? *kept : nullptr;
        if (card) before.erase(kept);
        else card = addCard(host);
        m_cards->insertWidget(m_first + static_cast<int>(m_hosts.size()), card);
        m_hosts << card;
    }
    qDeleteAll(before);
    Q_EMIT countsChanged(m_hosts.isEmpty() ? tr("this computer; add hosts to train on several")
                                           : tr("%n hosts", nullptr, static_cast<int>(m_hosts.size()) + 1));
}

RemoteHostCard* RemoteHosts::addCard(const remote::HostEntry& host) {
    auto* card = new RemoteHostCard(host);
    connect(card, &RemoteHostCard::removeRequested, this, &RemoteHosts::remove);
    connect(card, &RemoteHostCard::keyQuestion, m_panel,
            [this, host](const remote::HostKeyQuestion& question) { m_panel->openFor(host, question); });
    card->test();
    return card;
}

void RemoteHosts::testAll() {
    for (auto* host : m_hosts) host->test();
}

void RemoteHosts::remove(const QString& alias) {
    inBackground(
        this,
        [alias = alias.toStdString()]() -> Result<void> {
            TY_ASSIGN(auto book, remote::HostBook::load());
            return book.remove(alias);
        },
        [this](Result<void>) { load(); });
}

} // namespace trainyard::ui
