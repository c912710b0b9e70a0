// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/known_runs.h"

namespace trainyard::ui {

void KnownRuns::set(const RunItemPtr& item, FeedBatch& found) {
    // By the earlier item: a different clock may put the new one elsewhere in the order.
    if (const RunItemPtr before = m_items.value(item->id)) m_active.erase(before);
    m_items.insert(item->id, item);
    if (item->active()) m_active.insert(item);
    if (!found.runs) found.runs.emplace();
    found.runs->insert(item->id, item);
}

void KnownRuns::remove(const QString& run, FeedBatch& found) {
    const RunItemPtr item = m_items.take(run);
    if (!item) return;
    m_active.erase(item);
    if (!found.runs) found.runs.emplace();
    found.runs->insert(run, nullptr);
}

QSet<QString> KnownRuns::newestActive(std::size_t most) const {
    QSet<QString> newest;
    for (auto it = m_active.begin(); it != m_active.end() && std::cmp_less(newest.size(), most); ++it)
        newest.insert((*it)->id);
    return newest;
}

std::shared_ptr<RunItem> KnownRuns::nextToDetail() {
    const RunItemPtr known = m_items.value(m_undetailed.front());
    m_undetailed.pop_front();
    if (!known || known->detailed) return {};
    auto item = std::make_shared<RunItem>(*known);
    item->detailed = true;
    return item;
}

void KnownRuns::giveScore(RunItem& item) const {
    const run::Score* score = m_scores.ofSweep(item.row.sweep);
    if (score == nullptr) return;
    item.scoreSeries = QString::fromStdString(score->series);
    item.better = score->better;
    item.scoreAt = score->at;
}

} // namespace trainyard::ui
