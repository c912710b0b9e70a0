// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_banner.h"

#include "engine/spec/run/run_spec.h"
#include "ui/actions/action.h"
#include "ui/actions/run_dialogs.h"
#include "ui/models/actions/failure_fix.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/layout.h"

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

// A sentence; the name of a host keeps its small letter.
QString noticeText(const RunItem& run, const QString& notice) {
    const auto spec = spec::parseRunSpec(run.row.specJson);
    const auto begins = [&notice](const std::string& host) {
        return !host.empty() && notice.startsWith(QString::fromStdString(host));
    };
    return spec && (std::ranges::any_of(spec->hosts, begins) || std::ranges::any_of(spec->spareHosts, begins))
               ? notice
               : sentence(notice);
}

// What it is about, before a colon near its beginning, and what it says.
std::pair<QString, QString> partsOf(const QString& notice) {
    constexpr int kLongest = 32;
    const auto colon = notice.indexOf(QLatin1String(": "));
    if (colon <= 0 || colon > kLongest) return {notice, {}};
    return {notice.left(colon), sentence(notice.mid(colon + 2))};
}

} // namespace

RunBanner::RunBanner(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    auto* layout = column(this);
    setMargins(layout, 12, 12, 12, 0);
    m_banner = new Banner(Status::Error, QString());
    layout->addWidget(m_banner);
    hide();
    connect(m_banner, &Banner::dismissed, this, [this] {
        m_dismissed = m_shown;
        hide();
    });
    connect(&bench.selection, &RunSelection::currentChanged, this, &RunBanner::look);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &RunBanner::look);
    connect(&bench.feed, &WorkspaceFeed::stateChanged, this, &RunBanner::refresh);
    connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, &RunBanner::look);
}

// Checks the disk only after a new checkpoint, because nothing else fills it, and the state changes four times a
// second.
void RunBanner::look() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    m_disk = run && run->active() ? m_bench.feed.diskForecast(run->id) : std::nullopt;
    refresh();
}

void RunBanner::refresh() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    const auto* live = run ? m_bench.feed.state(run->id) : nullptr;
    const bool fills = m_disk && m_disk->level != run::DiskForecast::Level::Fine;
    QString key;
    if (run && run->home.isOutOfReach() && statusTint(*run, run->status) == Status::Warn)
        key = QStringLiteral("unreachable %1 %2").arg(run->id).arg(run->home.link.sinceMs);
    else if (run && run->status == wire::RunStatus::Failed)
        key = QStringLiteral("failed %1 %2").arg(run->id).arg(m_bench.feed.checkpoints(run->id).size());
    else if (run && run->status == wire::RunStatus::Interrupted)
        key = QStringLiteral("interrupted ") + run->id + QString::number(m_bench.feed.checkpoints(run->id).size());
    else if (run && run->status == wire::RunStatus::Finished && !run->row.error.message.empty())
        key = QStringLiteral("not continued ") + run->id + QString::fromStdString(run->row.error.text());
    else if (run && run->active() && fills)
        key = QStringLiteral("disk %1 %2").arg(run->id).arg(static_cast<int>(m_disk->level));
    else if (run && run->active() && live && !live->notice.empty())
        key = QStringLiteral("notice %1 %2 ").arg(run->id).arg(static_cast<int>(live->status)) +
              QString::fromStdString(live->notice);
    if (key == m_shown) return;
    m_shown = key;
    if (key.isEmpty() || key == m_dismissed) {
        hide();
        return;
    }
    m_banner->clearButtons();
    m_banner->setClosable(false);
    if (key.startsWith(QLatin1String("unreachable "))) {
        showOutOfReach(*run);
    } else if (run->status == wire::RunStatus::Failed) {
        showFailure(*run);
    } else if (run->status == wire::RunStatus::Interrupted) {
        showInterrupted(*run);
    } else if (run->status == wire::RunStatus::Finished) {
        showNotContinued(*run);
    } else if (fills) {
        showDisk(*m_disk);
    } else {
        // Before the first step it tells how far the start is, such as a program that was copied to a host.
        const auto [about, words] = partsOf(noticeText(*run, QString::fromStdString(live->notice)));
        m_banner->setMessage(live->status == wire::RunStatus::Starting ? Status::Info : Status::Warn, about, words);
        if (const Action& files = action("data-errors"); isOffered(files, {m_bench, run, this}))
            connect(m_banner->addButton(actionText(files)), &QPushButton::clicked, this, [this, &files, id = run->id] {
                if (const RunItemPtr now = m_bench.feed.run(id)) files.act({m_bench, now, this});
            });
        m_banner->setClosable(true);
    }
    show();
    m_banner->appear();
}

void RunBanner::showDisk(const run::DiskForecast& disk) {
    m_banner->setMessage(Status::Warn, sentence(QString::fromStdString(run::diskWarning(disk))),
                         sentence(engineSentence(run::describe(disk))));
    connect(m_banner->addButton(tr("Free space…")), &QPushButton::clicked, this,
            [this] { action("archived").act({m_bench, {}, this}); });
    m_banner->setClosable(true);
}

void RunBanner::showOutOfReach(const RunItem& run) {
    const QString known = run.isRecorded
                              ? tr("Last known: %1, step %2.")
                                    .arg(statusWord(run.status).toLower(), countText(static_cast<double>(run.row.step)))
                              : tr("Nothing is known about it yet.");
    const QString tried = tr("The run continues without the link; Trainyard keeps trying to reconnect.");
    m_banner->setMessage(Status::Warn, run.home.outOfReachText(),
                         known + QLatin1Char(' ') + tried + QLatin1Char('\n') +
                             QString::fromStdString(run.home.link.error));
    m_banner->setClosable(true);
}

void RunBanner::showFailure(const RunItem& run) {
    QStringList evidence;
    const bool tellsWhere = run.row.error.code == ErrorCode::LossNotFinite; // in its message
    if (!run.row.error.where.empty() && !tellsWhere) evidence << QString::fromStdString(run.row.error.where);
    else if (run.row.step > 0 && !tellsWhere) // an error from a rank names the step in its place
        evidence << tr("at step %1").arg(countText(static_cast<double>(run.row.step)));
    if (!run.row.error.remedy.empty()) evidence << QString::fromStdString(run.row.error.remedy);
    QString cause = QString::fromStdString(run.row.error.message);
    if (cause.isEmpty()) cause = tr("The run failed without a message; its log may say more");
    cause[0] = cause[0].toUpper();
    m_banner->setMessage(Status::Error, cause, evidence.join(QStringLiteral(" · ")));
    if (!run.importedFrom.isEmpty()) return; // a run that failed elsewhere cannot be restarted here
    const FailureFix fix = fixFor(run, !m_bench.feed.checkpoints(run.id).empty(), m_bench.catalog.catalog().get());
    const Action& again = action("run-again");
    const auto runAgain = [this, &again, id = run.id] {
        if (const RunItemPtr now = m_bench.feed.run(id)) again.act({m_bench, now, this});
    };
    if (!fix.asksForPath) connect(m_banner->addButton(actionText(again)), &QPushButton::clicked, this, runAgain);
    connect(m_banner->addButton(fix.label, true), &QPushButton::clicked, this, [this, fix, runAgain, id = run.id] {
        if (fix.retry) m_bench.actions.start(*fix.retry, fix.options);
        else if (fix.acceptsData) goOnWithData(id);
        else if (!fix.asksForPath) m_bench.actions.resume(id);
        else if (m_bench.feed.checkpoints(id).empty()) runAgain();
        else Q_EMIT m_bench.forkRequested(id, -1); // a fork keeps the trained weights
    });
}

void RunBanner::showNotContinued(const RunItem& run) {
    m_banner->setMessage(Status::Warn, tr("%1 could not be continued, and is finished as before").arg(run.name),
                         sentence(QString::fromStdString(run.row.error.text())));
    if (run.row.error.code == ErrorCode::DataChanged)
        connect(m_banner->addButton(tr("Continue with this data…"), true), &QPushButton::clicked, this,
                [this, id = run.id] { goOnWithData(id); });
    else if (run.row.error.code == ErrorCode::CheckpointMisfit) // its weights are useless for the new data
        connect(m_banner->addButton(tr("Train on this data…"), true), &QPushButton::clicked, this,
                [this, id = run.id] { Q_EMIT m_bench.forkRequested(id, -1); });
    m_banner->setClosable(true);
}

void RunBanner::goOnWithData(const QString& id) {
    if (const RunItemPtr now = m_bench.feed.run(id)) goOnWithChangedData(m_bench, *now, this);
}

void RunBanner::showInterrupted(const RunItem& run) {
    const auto& checkpoints = m_bench.feed.checkpoints(run.id);
    const QString evidence = checkpoints.empty()
                                 ? tr("The supervisor crashed or the computer restarted. There is no checkpoint yet.")
                                 : tr("The supervisor crashed or the computer restarted. Last checkpoint: step %1.")
                                       .arg(countText(static_cast<double>(checkpoints.back().step)));
    m_banner->setMessage(
        Status::Warn, tr("%1 was interrupted at step %2").arg(run.name, countText(static_cast<double>(run.row.step))),
        evidence);
    connect(m_banner->addButton(checkpoints.empty() ? actionName(action("start-again")) : actionName(action("resume"))),
            &QPushButton::clicked, this, [this, id = run.id] { m_bench.actions.resume(id); });
}

} // namespace trainyard::ui
