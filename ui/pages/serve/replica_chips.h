// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/service_status.h"

#include <QAbstractButton>
#include <QList>

namespace trainyard::ui {

// A replica as a button: its number, state, answers and restarts. A click, or the right button, opens its menu.
class ReplicaChip : public QAbstractButton {
    Q_OBJECT
public:
    explicit ReplicaChip(QWidget* parent = nullptr);
    void setReplica(const serve::ReplicaStatus& replica, bool canBeKilled);
    const serve::ReplicaStatus& replica() const { return m_replica; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void killRequested(int number);

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showMenu(const QPoint& at);
    QString title() const;
    QString counts() const;

    serve::ReplicaStatus m_replica;
    bool m_canBeKilled = false;
};

// All replicas of a service, in as many lines as they need.
class ReplicaChips : public QWidget {
    Q_OBJECT
public:
    explicit ReplicaChips(QWidget* parent = nullptr);
    void setReplicas(const std::vector<serve::ReplicaStatus>& replicas, bool canBeKilled);
    const QList<ReplicaChip*>& chips() const { return m_chips; }

Q_SIGNALS:
    void killRequested(int number);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QList<ReplicaChip*> m_chips;
};

} // namespace trainyard::ui
