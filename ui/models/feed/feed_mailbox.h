// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/feed_types.h"

#include <QMutex>

namespace trainyard::ui {

// Carries news from the feed's thread to the GUI thread, and the runs whose points are wanted back. Any thread.
class FeedMailbox {
public:
    void watch(const QSet<QString>& runs);
    QSet<QString> watched() const;
    // Adds to the waiting news. True for the first since the last take(): tell the GUI thread.
    bool put(FeedBatch found);
    FeedBatch take();

private:
    mutable QMutex m_mutex; // guards the next three
    QSet<QString> m_watched;
    FeedBatch m_ready;
    bool m_announced = false;
};

} // namespace trainyard::ui
