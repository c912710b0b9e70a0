// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/results/sweep_result.h"
#include "ui/models/feed/feed_types.h"

#include <deque>
#include <set>

namespace trainyard::ui {

// The workspace's runs as the feed's thread knows them: which are active, and whose summaries are still unread. The
// batch reports changes.
class KnownRuns {
public:
    RunItemPtr find(const QString& run) const { return m_items.value(run); } // null: none
    bool contains(const QString& run) const { return m_items.contains(run); }
    void set(const RunItemPtr& item, FeedBatch& found);
    void remove(const QString& run, FeedBatch& found);
    // The sweeps whose trials come from now on.
    void noteSweeps(const std::vector<store::SweepRow>& sweeps) { m_scores.note(sweeps); }
    // As sweep::RunScores says.
    void giveScore(RunItem& item) const;

    bool hasActive() const { return !m_active.empty(); }
    // The newest active runs, at most `most`.
    QSet<QString> newestActive(std::size_t most) const;

    void owe(const QString& run) { m_undetailed.push_back(run); }
    bool owesDetails() const { return !m_undetailed.empty(); }
    // The next run without summaries, to be filled in; null: all have them.
    std::shared_ptr<RunItem> nextToDetail();

private:
    QHash<QString, RunItemPtr> m_items;
    sweep::RunScores m_scores;
    std::set<RunItemPtr, decltype(&isNewer)> m_active{&isNewer};
    std::deque<QString> m_undetailed;
};

} // namespace trainyard::ui
