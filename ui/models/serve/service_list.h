// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/service_watch.h"

#include <QAbstractListModel>

namespace trainyard::ui {

// The services of a workspace, one a row, as the watch last saw them.
class ServiceList : public QAbstractListModel {
    Q_OBJECT
public:
    // DisplayRole: the name. What else a row shows:
    enum Role {
        StateRole = Qt::UserRole, // as a word
        TintRole,                 // of it: a Status
        AddressRole,
        FiguresRole, // rate and latencies, or why it does not answer
        FailedRole,
    };
    explicit ServiceList(ServiceWatch& watch, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    int rowOf(const QString& name) const; // -1: there is none

Q_SIGNALS:
    void listed(); // other services, or in another order: rows were reset

private:
    void refresh();

    ServiceWatch& m_watch;
    QStringList m_names;
};

} // namespace trainyard::ui
