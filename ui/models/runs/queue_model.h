// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queue/run_queue.h"

#include <QAbstractListModel>

namespace trainyard::ui {

// The queue's entries: waiting ones in order, each with its place and reason to wait, then refused ones with their
// reasons. Rows keep their identity when they move, so a view keeps its current one.
class QueueModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PlaceRole = Qt::UserRole + 1, ReasonRole, RefusedRole, SweepRole }; // a refused entry has place 0

    explicit QueueModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    void setQueue(const queue::QueueView& queue);
    // Moves a waiting entry at once; the next setQueue() shows the result.
    void move(int from, int to);
    int waiting() const;
    const store::QueueRow* entry(const QModelIndex& index) const; // null: there is none

private:
    struct Row {
        store::QueueRow entry;
        QString reason;
        bool sweep = false; // a sweep, not a run
        bool refused() const { return entry.state == store::QueueState::Refused; }
    };
    int rowOf(std::int64_t entry) const;

    std::vector<Row> m_rows;
};

} // namespace trainyard::ui
