// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_progress.h"

#include "ui/models/text/format.h"
#include "ui/widgets/marks/bars.h"

namespace trainyard::ui {
namespace {

constexpr double kLongRate = 1e5; // samples per second from which rates are written in thousands

} // namespace

RunProgress::RunProgress(const WorkspaceFeed& feed, QWidget* parent) : QWidget(parent), m_feed(feed) {
    auto* layout = column(this, 4);
    auto* line = row(nullptr, 6);
    m_percent = new Label(QString(), TextRole::Title);
    m_epoch = new Label(QString(), TextRole::SmallSecondary);
    m_eta = new Label(QString(), TextRole::Value);
    line->addWidget(m_percent);
    line->addWidget(m_epoch);
    line->addStretch();
    line->addWidget(m_eta);
    m_bar = new ProgressLine;
    auto* under = row(nullptr, 6);
    m_step = new NumberLabel(TextRole::SmallSecondary);
    m_step->setAlignment(Qt::AlignLeft);
    m_throughput = new NumberLabel(TextRole::SmallSecondary);
    under->addWidget(m_step);
    under->addStretch();
    under->addWidget(m_throughput);
    layout->addLayout(line);
    layout->addWidget(m_bar);
    layout->addLayout(under);
}

void RunProgress::setRun(const RunItem& run, wire::RunStatus status) {
    const auto* live = m_feed.state(run.id);
    const double share = m_feed.progress(run);
    const auto total = live && live->totalSteps > 0 ? live->totalSteps : run.row.totalSteps;
    // A program tells no length.
    const bool hasShare = !run.isProgram || total > 0 || status == wire::RunStatus::Finished;
    m_percent->setVisible(hasShare);
    m_bar->setVisible(hasShare);
    m_percent->setText(percentText(std::floor(share * 100) / 100));
    const QColor color = Theme::current().curve(run.color);
    const bool starting = status == wire::RunStatus::Starting || status == wire::RunStatus::Queued;
    m_bar->setValue(starting && share == 0 && status == wire::RunStatus::Starting ? -1 : share, color);
    const double epoch = live && live->totalSteps > 0 ? std::max(live->epoch, run.row.epoch) : run.row.epoch;
    std::int64_t epochs = live ? live->totalEpochs : 0;
    if (epochs <= 0) epochs = run.settings.value(QStringLiteral("epochs")).toLongLong();
    // One that ends at the end of an epoch ended in that epoch.
    const double in = wire::isActive(status) ? std::floor(epoch) + 1 : std::max(1.0, std::ceil(epoch));
    const double shownEpoch = std::min(in, std::max(1.0, static_cast<double>(epochs)));
    const bool isLive = live && (live->totalSteps > 0 || run.isProgram);
    m_epoch->setText(epochs > 0 ? tr("epoch %1 of %2").arg(shownEpoch, 0, 'f', 0).arg(epochs) : QString());
    const auto step = isLive ? std::max(live->step, run.row.step) : run.row.step;
    m_step->setText(
        total > step
            ? tr("step %1 of %2").arg(countText(static_cast<double>(step)), countText(static_cast<double>(total)))
            : tr("step %1").arg(countText(static_cast<double>(step))));
    const double throughput = live && live->samplesPerSecond > 0 ? live->samplesPerSecond : run.row.samplesPerSecond;
    m_throughput->setText(
        throughput > 0 && status != wire::RunStatus::Paused
            ? tr("%1 samples/s").arg(throughput < kLongRate ? countText(throughput) : metricText(throughput))
            : QString());
    const double trained = live && live->trainSeconds > 0 ? live->trainSeconds : run.row.trainSeconds;
    m_eta->setVisible(hasShare);
    if (!hasShare) { // beside the step
        const QString time = trained > 0 ? durationText(trained) : QString();
        m_throughput->setText(time.isEmpty() ? time : (wire::isActive(status) ? tr("for %1") : tr("in %1")).arg(time));
    } else if (wire::isActive(status))
        m_eta->setText(live && live->etaSeconds >= 0 ? tr("est. %1 left").arg(durationText(live->etaSeconds))
                                                     : QString());
    else m_eta->setText(trained > 0 ? tr("in %1").arg(durationText(trained)) : QString());
}

} // namespace trainyard::ui
