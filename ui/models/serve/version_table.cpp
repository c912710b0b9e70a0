// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/version_table.h"

#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

// The version that answers comes first, the one that no longer does last.
int standing(serve::VersionRole role) {
    return role == serve::VersionRole::Current ? 0 : role == serve::VersionRole::Former ? 2 : 1;
}

// Those of a model together, the models as they were.
std::vector<serve::VersionStatus> byStanding(const std::vector<serve::VersionStatus>& versions) {
    const auto place = [&](const serve::VersionStatus& version) {
        const auto first = std::find_if(versions.begin(), versions.end(),
                                        [&](const auto& each) { return each.model == version.model; });
        return std::pair(first - versions.begin(), standing(version.role));
    };
    auto sorted = versions;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return sorted;
}

} // namespace

void VersionTable::setVersions(const std::vector<serve::VersionStatus>& given) {
    const auto versions = byStanding(given);
    if (versions == m_versions) return;
    const bool same = versions.size() == m_versions.size();
    if (!same) beginResetModel();
    m_versions = versions;
    m_isOfSeveral = std::any_of(versions.begin(), versions.end(),
                                [&](const auto& each) { return each.model != versions.front().model; });
    if (!same) endResetModel();
    else Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const serve::VersionStatus* VersionTable::at(int row) const {
    return row < 0 || row >= rowCount() ? nullptr : &m_versions[static_cast<std::size_t>(row)];
}

int VersionTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_versions.size());
}

int VersionTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant VersionTable::data(const QModelIndex& index, int role) const {
    const serve::VersionStatus* version = index.isValid() ? at(index.row()) : nullptr;
    if (!version) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() <= Role ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(version->reason.empty() ? version->file : version->reason);
    if (role == Qt::ForegroundRole && index.column() == Errors && version->errors > 0) return Theme::current().error;
    if (role != Qt::DisplayRole) return {};
    const QString name = QString::fromStdString(version->name);
    switch (index.column()) {
    case Version: return m_isOfSeveral ? QString::fromStdString(version->model) + QStringLiteral(": ") + name : name;
    case Role: return roleText(version->role);
    case Share: return percentText(version->share);
    case Requests: return countText(static_cast<double>(version->requests));
    case Errors: return countText(static_cast<double>(version->errors));
    case Median: return latencyText(version->p50Ms);
    case Slowest: return latencyText(version->p99Ms);
    default: return {};
    }
}

QVariant VersionTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section <= Role ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Version: return tr("Version");
    case Role: return tr("Role");
    case Share: return tr("Share");
    case Requests: return tr("Requests");
    case Errors: return tr("Errors");
    case Median: return QStringLiteral("p50");
    case Slowest: return QStringLiteral("p99");
    default: return {};
    }
}

} // namespace trainyard::ui
