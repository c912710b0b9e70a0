// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/checkpoints/tensor_table.h"

#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/text/format.h"

#include <algorithm>

namespace trainyard::ui {

void CheckpointTable::setRows(const std::vector<store::CheckpointRow>& rows, const QString& scoreSeries) {
    beginResetModel();
    m_rows = rows;
    m_score = scoreSeries;
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [](const auto& a, const auto& b) { return a.best != b.best ? a.best : a.step > b.step; });
    endResetModel();
}

const store::CheckpointRow* CheckpointTable::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int CheckpointTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int CheckpointTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant CheckpointTable::data(const QModelIndex& index, int role) const {
    const auto* row = at(index.row());
    if (!row) return {};
    if (role == Qt::TextAlignmentRole && index.column() != Name) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return QString::fromStdString(row->path);
    if (role != Qt::DisplayRole) return {};
    const auto metric = [row](const QString& name) {
        const auto found = row->metrics.find(name.toStdString());
        return found == row->metrics.end() ? kNoValue : metricText(found->second);
    };
    switch (index.column()) {
    case Name: return checkpointTitle(*row);
    case Score: return metric(m_score);
    case Loss: return metric(QStringLiteral("val/loss"));
    case Step: return countText(static_cast<double>(row->step));
    case Size: return bytesText(static_cast<double>(row->bytes));
    case Saved: return clockText(row->wallMs);
    default: return {};
    }
}

QVariant CheckpointTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Checkpoint");
    case Score: return m_score.isEmpty() ? tr("Score") : seriesTitle(m_score);
    case Loss: return seriesTitle(QStringLiteral("val/loss"));
    case Step: return tr("Step");
    case Size: return tr("Size");
    case Saved: return tr("Saved");
    default: return {};
    }
}

void TensorTable::setContent(CheckpointContent content) {
    m_content = std::move(content);
    setFilter(m_filter);
}

void TensorTable::setFilter(const QString& text) {
    beginResetModel();
    m_filter = text;
    m_rows.clear();
    const auto words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_content.parameters.size(); ++i) {
        const QString& name = m_content.parameters[i].name;
        if (std::all_of(words.begin(), words.end(),
                        [&name](const QString& word) { return name.contains(word, Qt::CaseInsensitive); })) {
            m_rows.push_back(i);
        }
    }
    endResetModel();
}

const TensorStats* TensorTable::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_content.parameters[m_rows[static_cast<std::size_t>(row)]] : nullptr;
}

int TensorTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int TensorTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant TensorTable::data(const QModelIndex& index, int role) const {
    const auto* tensor = at(index.row());
    if (!tensor) return {};
    if (role == Qt::TextAlignmentRole && (index.column() == Values || index.column() == Norm))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && tensor->read)
        return tr("%1\nfrom %2 to %3").arg(tensor->name, exactText(tensor->min), exactText(tensor->max));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case Name: return tensor->name;
    case Shape: return tensor->shape;
    case Type: return tensor->dtype;
    case Values: return countText(static_cast<double>(tensor->values));
    case Norm: return tensor->read ? fixedText(tensor->norm, 2) : kNoValue;
    default: return {};
    }
}

QVariant TensorTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Values || section == Norm ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const std::array<QString, ColumnCount> titles{tr("Name"),   tr("Shape"), tr("Type"),
                                                  tr("Values"), tr("Norm"),  tr("Distribution")};
    return role == Qt::DisplayRole ? QVariant(titles[static_cast<std::size_t>(section)]) : QVariant();
}

} // namespace trainyard::ui
