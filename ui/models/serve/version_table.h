// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/service_status.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// The versions of a service's models: which answer, and how well.
class VersionTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Version, Role, Share, Requests, Errors, Median, Slowest, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    // In any order: the one that answers stands first.
    void setVersions(const std::vector<serve::VersionStatus>& versions);
    const std::vector<serve::VersionStatus>& versions() const { return m_versions; }
    const serve::VersionStatus* at(int row) const; // null: there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<serve::VersionStatus> m_versions;
    bool m_isOfSeveral = false; // models
};

} // namespace trainyard::ui
