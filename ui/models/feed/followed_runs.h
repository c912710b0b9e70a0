// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/feed_types.h"

#include <map>

struct pollfd;

namespace trainyard::ui {

// The followers of the feed's thread. A run that is no longer shown stays followed while there is room, so that
// showing it again reads nothing: the latest kMostSpare of such runs, with at most kMostSparePoints points together.
class FollowedRuns {
public:
    static constexpr std::size_t kMostSpare = 32;
    static constexpr std::int64_t kMostSparePoints = 4'000'000; // some 140 MB with what the window keeps of them

    explicit FollowedRuns(store::Workspace workspace) : m_workspace(std::move(workspace)) {}

    // Follows exactly these runs, new ones from their start. Adds an update with `reset` for each run that begins or
    // is dropped. Returns those that begin; `failed` gets the reason of the last one that could not. `isMirrored`: the
    // run lives elsewhere, so its mirror is followed.
    QStringList want(const QSet<QString>& runs, std::vector<RunUpdate>& updates, QString& failed,
                     const std::function<bool(const QString&)>& isMirrored = {});
    // Drops a run at once: it has left the table.
    void forget(const QString& run, std::vector<RunUpdate>& updates);
    // Collects news. `isActive`: whether a run is active; a run that has ended is polled again only then.
    void poll(const std::function<bool(const QString&)>& isActive, std::vector<RunUpdate>& updates);
    void addPollEntries(std::vector<pollfd>& entries) const;
    bool contains(const QString& run) const { return m_runs.contains(run); }
    QStringList ids() const;
    // How many times the points of a run were read from the store from the first one.
    int opened() const { return m_opened; }

private:
    struct Followed {
        std::unique_ptr<run::RunFollower> follower;
        bool ended = false;
        bool wanted = true;
        bool isCopy = false;      // its last points may come after its last state
        std::uint64_t leftAt = 0; // larger: left more recently
        std::int64_t points = 0;  // delivered
    };
    void dropSpare(std::vector<RunUpdate>& updates);

    store::Workspace m_workspace;
    std::map<QString, Followed> m_runs;
    std::uint64_t m_clock = 0;
    int m_opened = 0;
};

} // namespace trainyard::ui
