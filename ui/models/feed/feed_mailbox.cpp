// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/feed_mailbox.h"

#include <iterator>
#include <utility>

namespace trainyard::ui {

void FeedMailbox::watch(const QSet<QString>& runs) {
    const QMutexLocker lock(&m_mutex);
    m_watched = runs;
}

QSet<QString> FeedMailbox::watched() const {
    const QMutexLocker lock(&m_mutex);
    return m_watched;
}

bool FeedMailbox::put(FeedBatch found) {
    const QMutexLocker lock(&m_mutex);
    if (found.runs && m_ready.runs) m_ready.runs->insert(*found.runs);
    else if (found.runs) m_ready.runs = std::move(found.runs);
    if (found.sweeps) {
        m_ready.sweeps = std::move(found.sweeps);
        m_ready.sweepHomes = std::move(found.sweepHomes);
    }
    m_ready.isMirrorWanted = m_ready.isMirrorWanted || found.isMirrorWanted;
    if (found.queue) m_ready.queue = std::move(found.queue);
    if (!found.problem.isEmpty()) m_ready.problem = found.problem;
    std::move(found.updates.begin(), found.updates.end(), std::back_inserter(m_ready.updates));
    m_ready.checkpoints.insert(found.checkpoints);
    m_ready.checkpointsTouched = m_ready.checkpointsTouched || found.checkpointsTouched;
    m_ready.workers.insert(found.workers);
    return !std::exchange(m_announced, true);
}

FeedBatch FeedMailbox::take() {
    const QMutexLocker lock(&m_mutex);
    m_announced = false;
    return std::exchange(m_ready, {});
}

} // namespace trainyard::ui
