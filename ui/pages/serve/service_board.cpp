// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/service_board.h"

#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/pages/serve/card_columns.h"
#include "ui/pages/serve/figure_strip.h"
#include "ui/pages/serve/replica_chips.h"
#include "ui/pages/serve/service_charts.h"
#include "ui/pages/serve/service_sheets.h"
#include "ui/pages/serve/service_trial.h"
#include "ui/pages/serve/version_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/status_chip.h"

#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kLeastHalf = 400; // design pixels of a column of the lower half

// What can be sent: not what opens the New run sheet.
bool canBeSent(const QMimeData& given) {
    if (given.hasImage()) return true;
    for (const QUrl& url : given.urls()) {
        const QString ending = QFileInfo(url.toLocalFile()).suffix().toLower();
        if (QStringList{QStringLiteral("png"), QStringLiteral("jpg"), QStringLiteral("jpeg"), QStringLiteral("csv"),
                        QStringLiteral("txt")}
                .contains(ending))
            return true;
    }
    return given.urls().isEmpty() && given.hasText();
}

} // namespace

ServiceBoard::ServiceBoard(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_title(new NumberLabel(TextRole::Title)), m_chip(new StatusChip(QString())),
      m_home(new StatusChip(QString())), m_address(new NumberLabel(TextRole::SmallSecondary)),
      m_scale(button(tr("Scale…"), QStringLiteral("sliders"))), m_stop(button(tr("Stop…"), QStringLiteral("stop"))),
      m_again(button(tr("Start again"), QStringLiteral("play"))), m_banner(new Banner(Status::Info, QString())),
      m_figures(new FigureStrip), m_charts(new ServiceCharts(bench.services)), m_trial(new ServiceTrial),
      m_versions(new VersionCard(bench)), m_replicaCard(new Card(tr("Replicas"))), m_replicas(new ReplicaChips) {
    setAcceptDrops(true);
    setMinimumWidth(Theme::current().px(360));
    auto* layout = column(this);
    layout->addWidget(buildHeader());
    layout->addWidget(scrolled(buildCards(), tr("Service")), 1);
    connect(m_scale, &QPushButton::clicked, this,
            [this] { withService([this](const auto& service) { (new ScaleSheet(m_bench, service, this))->open(); }); });
    connect(m_stop, &QPushButton::clicked, this,
            [this] { withService([this](const auto& service) { askToStop(m_bench, service, this); }); });
    connect(m_again, &QPushButton::clicked, this, [this] { m_bench.serving.resume(m_name); });
    connect(m_replicas, &ReplicaChips::killRequested, this, [this](int number) {
        withService([&](const auto& service) { askToKill(m_bench, service, number, this); });
    });
    connect(m_charts, &ServiceCharts::historyRead, this, &ServiceBoard::refresh);
    connect(m_versions, &VersionCard::checkpointWanted, this,
            [this] { Q_EMIT m_bench.serveRequested({}, {}, -1, m_name); });
    connect(m_trial, &ServiceTrial::copied, this,
            [this](const QString& told) { Q_EMIT m_bench.statusMessage(told, {}); });
}

QWidget* ServiceBoard::buildHeader() {
    auto* header = new Surface(SurfaceColor::Window, BottomEdge);
    header->setFixedHeight(Theme::current().px(48));
    auto* line = row(header, 8);
    setMargins(line, 16, 0, 12, 1);
    m_address->setAlignment(Qt::AlignLeft);
    m_title->setAlignment(Qt::AlignLeft);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    auto* copy = iconButton(QStringLiteral("copy"), tr("Copy the address"));
    connect(copy, &QToolButton::clicked, this, [this] {
        QApplication::clipboard()->setText(m_address->text());
        Q_EMIT m_bench.statusMessage(tr("Address copied"), {});
    });
    line->addWidget(m_title);
    line->addWidget(m_chip);
    line->addWidget(m_home);
    line->addWidget(m_address, 1);
    line->addWidget(copy);
    for (QPushButton* each : {m_scale, m_stop, m_again}) line->addWidget(each);
    return header;
}

QWidget* ServiceBoard::buildCards() {
    auto* cards = new QWidget;
    auto* layout = column(cards, 12);
    setMargins(layout, 12, 12, 12, 12);
    m_banner->hide();
    auto* figures = new Card;
    figures->body()->addWidget(m_figures);
    auto* inside = new QWidget;
    auto* room = column(inside);
    setMargins(room, 12, 0, 12, 12);
    room->addWidget(m_replicas);
    m_replicaCard->body()->addWidget(inside);
    room->addStretch();
    for (QWidget* each : std::initializer_list<QWidget*>{figures, m_charts, m_versions})
        each->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->addWidget(m_banner);
    layout->addWidget(figures);
    layout->addWidget(m_charts);
    layout->addWidget(m_versions);
    layout->addWidget(new CardColumns({m_trial, m_replicaCard}, kLeastHalf));
    layout->addStretch();
    return cards;
}

void ServiceBoard::withService(const std::function<void(const serve::ServiceView&)>& act) {
    if (const auto* service = m_bench.services.service(m_name)) act(*service);
}

void ServiceBoard::setService(const QString& name) {
    m_name = name;
    refresh();
}

void ServiceBoard::refresh() {
    withService([this](const serve::ServiceView& service) {
        showHeader(service);
        showState(service);
        showFigures(service);
        m_charts->setService(service);
        // Nothing empty stands around: what has ended is not tried, what never began has no versions.
        m_charts->setVisible(service.isServed || !m_charts->isEmpty());
        m_trial->setVisible(service.isServed);
        m_versions->setVisible(!service.status.versions.empty());
        m_replicaCard->setVisible(service.isServed);
        m_versions->setService(service);
        m_trial->setService(service);
        m_replicas->setReplicas(service.status.replicas, isLive(service));
        m_replicaCard->setNote(
            service.spec.minReplicas == service.spec.maxReplicas
                ? tr("%n at all times", nullptr, service.spec.maxReplicas)
                : tr("%1 to %2, as requests come").arg(service.spec.minReplicas).arg(service.spec.maxReplicas));
    });
}

void ServiceBoard::showHeader(const serve::ServiceView& service) {
    m_title->setText(m_name);
    m_chip->setChip(stateText(service.status.state), tintOf(service.status.state));
    const QString home = QString::fromStdString(service.spec.on);
    m_home->setVisible(!home.isEmpty());
    m_home->setChip(home, Status::Neutral, QStringLiteral("server"));
    m_home->setToolTip(tr("It lives on %1; this address is forwarded there").arg(home));
    m_address->setText(addressOf(service));
    m_address->setToolTip(m_address->text());
    m_scale->setVisible(isLive(service));
    m_stop->setVisible(service.isServed);
    m_stop->setEnabled(service.status.state != serve::ServiceState::Draining);
    m_again->setVisible(!service.isServed);
}

// What somebody should know or do, in one banner.
void ServiceBoard::showState(const serve::ServiceView& service) {
    const serve::ServiceStatus& status = service.status;
    const QString reason = QString::fromStdString(status.reason);
    QString cause;
    Status tint = Status::Info;
    switch (status.state) {
    case serve::ServiceState::Failed:
        cause = tr("The service does not answer");
        tint = Status::Error;
        break;
    case serve::ServiceState::Draining:
        cause = tr("It finishes %n requests, then ends", nullptr, static_cast<int>(status.waiting + status.inFlight));
        tint = Status::Warn;
        break;
    case serve::ServiceState::Stopped:
        cause =
            status.processesLeft < 0 ? tr("Stopped") : tr("Stopped, %n processes left", nullptr, status.processesLeft);
        tint = status.processesLeft > 0 ? Status::Warn : Status::Success;
        break;
    case serve::ServiceState::Unreachable:
        cause = tr("The link to its host is lost; the service goes on there");
        tint = Status::Warn;
        break;
    case serve::ServiceState::Starting: cause = tr("The model is loaded and warmed up"); break;
    case serve::ServiceState::Ready:
        if (reason.isEmpty()) break;
        cause = tr("It answers, but not all is well");
        tint = Status::Warn;
        break;
    }
    const QString told = cause + QLatin1Char('\n') + reason;
    if (std::exchange(m_told, told) == told) return;
    m_banner->setVisible(!cause.isEmpty());
    if (cause.isEmpty()) return;
    m_banner->setMessage(tint, cause, reason);
}

void ServiceBoard::showFigures(const serve::ServiceView& service) {
    const serve::ServiceStatus& status = service.status;
    const AnswerErrors errors = errorsOf(status);
    const auto count = [](std::int64_t value) { return countText(static_cast<double>(value)); };
    QStringList codes;
    for (const auto& [code, times] : status.codes) codes << QStringLiteral("%1: %2").arg(code).arg(count(times));
    const bool served = service.isServed;
    m_figures->setFigures(
        {{tr("rate"), served ? rateText(status.qps) : kNoValue, tr("Requests per second in the last ten seconds")},
         {QStringLiteral("p50"), served ? latencyText(status.p50Ms) : kNoValue,
          tr("Half of the answers take no longer")},
         {QStringLiteral("p99"), served ? latencyText(status.p99Ms) : kNoValue,
          tr("One answer in a hundred takes longer")},
         {tr("in flight"), served ? count(status.inFlight) : kNoValue, tr("Requests that a replica computes")},
         {tr("waiting"), served ? count(status.waiting) : kNoValue, tr("Requests in the queue")},
         {tr("answered"), count(status.answered), codes.join(QLatin1Char('\n'))},
         {tr("errors"), count(errors.service),
          tr("Answers with a status of 500 or more; %1 more were refused as wrong").arg(count(errors.client)),
          errors.service > 0},
         {tr("restarts"), count(status.restarts), tr("Replicas that ended and were replaced")}});
}

void ServiceBoard::dragEnterEvent(QDragEnterEvent* event) {
    if (!canBeSent(*event->mimeData())) return;
    event->acceptProposedAction();
    m_trial->setInviting(true);
}

void ServiceBoard::dragLeaveEvent(QDragLeaveEvent*) { m_trial->setInviting(false); }

void ServiceBoard::dropEvent(QDropEvent* event) {
    m_trial->setInviting(false);
    event->acceptProposedAction();
    m_trial->take(*event->mimeData());
}

} // namespace trainyard::ui
