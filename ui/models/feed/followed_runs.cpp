// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/followed_runs.h"

#include <poll.h>

#include <algorithm>

namespace trainyard::ui {

QStringList FollowedRuns::want(const QSet<QString>& runs, std::vector<RunUpdate>& updates, QString& failed,
                               const std::function<bool(const QString&)>& isMirrored) {
    QStringList begun;
    for (auto& [run, followed] : m_runs) {
        const bool wanted = runs.contains(run);
        if (followed.wanted && !wanted) followed.leftAt = ++m_clock;
        followed.wanted = wanted;
    }
    for (const QString& run : runs) {
        if (m_runs.contains(run)) continue;
        using Record = run::RunFollower::Record;
        const bool away = isMirrored && isMirrored(run);
        auto follower = run::RunFollower::open(away ? run::mirrorWorkspace(m_workspace) : m_workspace,
                                               run.toStdString(), away ? Record::Copy : Record::Own);
        if (!follower) {
            failed = QString::fromStdString(follower.error().text());
            continue;
        }
        ++m_opened;
        m_runs[run].follower = std::move(*follower);
        m_runs[run].isCopy = away;
        updates.push_back({run, true, {}});
        begun << run;
    }
    dropSpare(updates);
    return begun;
}

void FollowedRuns::dropSpare(std::vector<RunUpdate>& updates) {
    std::vector<std::pair<std::uint64_t, QString>> spare;
    for (const auto& [run, followed] : m_runs)
        if (!followed.wanted) spare.emplace_back(followed.leftAt, run);
    std::sort(spare.rbegin(), spare.rend()); // the latest first
    std::int64_t points = 0;
    for (std::size_t at = 0; at < spare.size(); ++at) {
        points += m_runs.at(spare[at].second).points;
        if (at >= kMostSpare || points > kMostSparePoints) forget(spare[at].second, updates);
    }
}

void FollowedRuns::forget(const QString& run, std::vector<RunUpdate>& updates) {
    if (m_runs.erase(run) > 0) updates.push_back({run, true, {}});
}

void FollowedRuns::poll(const std::function<bool(const QString&)>& isActive, std::vector<RunUpdate>& updates) {
    for (auto& [run, followed] : m_runs) {
        if (followed.ended && !followed.isCopy && !isActive(run)) continue;
        followed.ended = false;
        auto update = followed.follower->poll(0);
        if (!update || update->empty()) continue;
        followed.ended = update->ended;
        for (const auto& delta : update->points) followed.points += std::ssize(delta.points);
        updates.push_back({run, false, std::move(*update)});
    }
}

void FollowedRuns::addPollEntries(std::vector<pollfd>& entries) const {
    for (const auto& [run, followed] : m_runs)
        if (const int fd = followed.follower->fd(); fd >= 0 && !followed.ended) entries.push_back({fd, POLLIN, 0});
}

QStringList FollowedRuns::ids() const {
    QStringList ids;
    for (const auto& [run, followed] : m_runs) ids << run;
    return ids;
}

} // namespace trainyard::ui
