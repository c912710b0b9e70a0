// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/feed_types.h"

#include <QMutex>

namespace trainyard::ui {

// Between the feed's thread and the GUI thread: what the one has found, and which runs the other wants the points of.
// Any thread.
class FeedMailbox {
public:
    void watch(const QSet<QString>& runs);
    QSet<QString> watched() const;
    // Adds to what waits. True for the first since the last take(): somebody has to be told.
    bool put(FeedBatch found);
    FeedBatch take();

private:
    mutable QMutex m_mutex; // guards the next three
    QSet<QString> m_watched;
    FeedBatch m_ready;
    bool m_announced = false;
};

} // namespace trainyard::ui
