// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_notices.h"

#include "ui/models/runs/recent_work.h"
#include "ui/models/text/format.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

const QString kSweep = QStringLiteral("sweep "); // prefix of a sweep's id in the target of a notice

QString joined(const QStringList& parts) { return parts.join(QStringLiteral(" · ")); }

QString scoreText(const QString& series, double best) {
    return std::isfinite(best) ? RunNotices::tr("best %1 %2").arg(seriesText(series), metricText(best)) : QString();
}

} // namespace

QString resultText(const RunItem& run) {
    QStringList parts{statusWord(run.status)};
    if (run.status == wire::RunStatus::Failed && !run.row.error.message.empty())
        parts << QString::fromStdString(run.row.error.message);
    if (const QString score = scoreText(run.scoreSeries, run.best); !score.isEmpty()) parts << score;
    if (run.row.trainSeconds > 0) parts << RunNotices::tr("in %1").arg(durationText(run.row.trainSeconds));
    return joined(parts);
}

RunNotices::RunNotices(Workbench& bench, QWidget* window) : QObject(window), m_bench(bench), m_window(window) {
    connect(&bench.feed, &WorkspaceFeed::runEnded, this, &RunNotices::tellRun);
    connect(&bench.feed, &WorkspaceFeed::sweepsChanged, this, &RunNotices::tellSweeps);
    connect(&m_notices, &DesktopNotices::opened, this, [this](const QString& what) {
        if (what.startsWith(kSweep)) Q_EMIT sweepOpened(what.mid(kSweep.size()));
        else Q_EMIT runOpened(what);
    });
}

void RunNotices::tell(const QString& name, const QString& result, const QString& what) {
    if (m_window->isActiveWindow()) return;
    QApplication::alert(m_window);
    if (desktopNoticesWanted()) m_notices.show(name, result, tr("Open"), what);
}

void RunNotices::tellRun(const QString& id) {
    const RunItemPtr run = m_bench.feed.run(id);
    if (run && run->row.sweep.empty()) tell(run->name, resultText(*run), id);
}

void RunNotices::tellSweeps() {
    for (const auto& sweep : m_bench.feed.sweeps()) {
        if (wire::isActive(sweep.status)) {
            m_activeSweeps.insert(sweep.id);
            continue;
        }
        if (m_activeSweeps.erase(sweep.id) == 0) continue;
        QStringList parts{statusWord(sweep.status), tr("%n trials", nullptr, sweep.trials)};
        SweepScores scores;
        const auto work = recentWork(m_bench.feed.runs(), m_bench.feed.sweeps(), m_bench.feed.runs().size(), scores);
        const auto found = std::find_if(work.begin(), work.end(), [&](const RecentWork& each) {
            return each.sweep == QString::fromStdString(sweep.id);
        });
        if (found != work.end())
            if (const QString score = scoreText(found->scoreSeries, found->best); !score.isEmpty()) parts << score;
        tell(QString::fromStdString(sweep.name), joined(parts), kSweep + QString::fromStdString(sweep.id));
    }
}

} // namespace trainyard::ui
