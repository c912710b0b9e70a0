// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/drawn_runs.h"

#include "ui/models/text/format.h"

#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kPauseMs = 40; // between two slices: a frame, and whatever the user does

} // namespace

QStringList sampleOfRuns(const RunSelection& selection, const std::vector<RunItemPtr>& runs, qsizetype most) {
    if (selection.selected().size() <= most) return selection.selected();
    QSet<QString> chosen;
    if (selection.isSelected(selection.current())) chosen.insert(selection.current());
    for (const RunItemPtr& run : runs) {
        if (chosen.size() >= most) break;
        if (selection.isSelected(run->id)) chosen.insert(run->id);
    }
    QStringList sample;
    for (const QString& run : selection.selected())
        if (chosen.contains(run)) sample << run;
    return sample;
}

DrawnRuns::DrawnRuns(const RunSelection& selection, const WorkspaceFeed& feed, QObject* parent)
    : QObject(parent), m_selection(selection), m_feed(feed) {
    m_timer.setInterval(kPauseMs);
    connect(&m_timer, &QTimer::timeout, this, &DrawnRuns::takeSlice);
    connect(&selection, &RunSelection::selectedChanged, this, &DrawnRuns::choose);
    const auto chooseAmongMany = [this] {
        if (m_selection.selected().size() > kMost) choose();
    };
    connect(&selection, &RunSelection::currentChanged, this, chooseAmongMany);
    connect(&feed, &WorkspaceFeed::runsChanged, this, chooseAmongMany); // the selection may be older than the list
}

// What is drawn already stays, as far as it is still wanted.
void DrawnRuns::choose() {
    const QStringList wanted = sampleOfRuns(m_selection, m_feed.runs(), kMost);
    if (wanted == m_wanted) return;
    m_wanted = wanted;
    takeSlice();
}

void DrawnRuns::takeSlice() {
    const QSet<QString> before(m_runs.begin(), m_runs.end());
    qsizetype more = kSlice;
    QStringList now;
    for (const QString& run : std::as_const(m_wanted))
        if (before.contains(run) || more-- > 0) now << run;
    const bool filling = now.size() < m_wanted.size(), wasFilling = isFilling();
    if (filling && !wasFilling) m_timer.start();
    else if (!filling) m_timer.stop();
    const bool other = now != m_runs;
    m_runs = std::move(now);
    if (filling && !wasFilling) Q_EMIT fillingChanged();
    if (other) Q_EMIT changed();
    if (!filling && wasFilling) Q_EMIT fillingChanged();
}

void DrawnRuns::stop() {
    if (!isFilling()) return;
    m_timer.stop();
    Q_EMIT fillingChanged();
}

QString DrawnRuns::note() const {
    const auto all = m_selection.selected().size();
    if (m_runs.size() == all) return {};
    const auto count = [](qsizetype runs) { return countText(static_cast<double>(runs)); };
    if (isFilling())
        return tr("Drawing %1 of %2 selected runs: %3 so far")
            .arg(count(m_wanted.size()), count(all), count(m_runs.size()));
    if (m_runs.size() < m_wanted.size())
        return tr("Stopped: %1 of %2 selected runs are drawn").arg(count(m_runs.size()), count(all));
    return tr("%1 of %2 selected runs are drawn: the current one and the newest").arg(count(m_runs.size()), count(all));
}

} // namespace trainyard::ui
