// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/feed_types.h"

#include <QMutex>

#include <atomic>

namespace trainyard::ui {

// Carries news from the feed's thread to the GUI thread, and back which runs' points are wanted and whether anybody
// looks. Any thread.
class FeedMailbox {
public:
    void watch(const QSet<QString>& runs);
    QSet<QString> watched() const;
    void setHidden(bool hidden) { m_hidden = hidden; }
    bool isHidden() const { return m_hidden; }
    // Adds to the waiting news. True for the first since the last take(): tell the GUI thread.
    bool put(FeedBatch found);
    FeedBatch take();

private:
    mutable QMutex m_mutex; // guards the next three
    QSet<QString> m_watched;
    FeedBatch m_ready;
    bool m_announced = false;
    std::atomic<bool> m_hidden = false;
};

} // namespace trainyard::ui
