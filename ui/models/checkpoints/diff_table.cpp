// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/checkpoints/diff_table.h"

#include "ui/models/text/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::ui {

namespace {

using State = run::TensorDiff::State;

bool isInBoth(const run::TensorDiff& diff) { return diff.state == State::Same || diff.state == State::Changed; }

QString shapeWords(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (const auto size : shape) sizes << QString::number(size);
    return sizes.isEmpty() ? DiffTable::tr("scalar") : sizes.join(QStringLiteral(", "));
}

QString changedWords(const run::TensorDiff& diff) {
    switch (diff.state) {
    case State::Same: return DiffTable::tr("same");
    case State::Changed:
        return diff.changed == diff.values ? DiffTable::tr("all")
                                           : DiffTable::tr("%1 of %2")
                                                 .arg(countText(static_cast<double>(diff.changed)),
                                                      countText(static_cast<double>(diff.values)));
    case State::Reshaped: return DiffTable::tr("different shape");
    case State::OnlyFirst: return DiffTable::tr("only in the first");
    case State::OnlySecond: return DiffTable::tr("only in the second");
    }
    return {};
}

QString number(double value) { return digitsText(value, 4); }

double diffKey(const run::TensorDiff& diff, int column) {
    switch (column) {
    case DiffTable::Changed: return isInBoth(diff) ? static_cast<double>(diff.changed) : INFINITY;
    case DiffTable::Norm: return diff.norm;
    case DiffTable::NormAfter: return diff.otherNorm;
    case DiffTable::Relative: return isInBoth(diff) ? diff.relative() : INFINITY;
    case DiffTable::Greatest: return isInBoth(diff) ? diff.greatest : INFINITY;
    default: return 0;
    }
}

} // namespace

void DiffTable::setDiff(run::CheckpointDiff diff) {
    beginResetModel();
    m_diff = std::move(diff);
    choose();
    endResetModel();
}

void DiffTable::setFilter(const QString& words, bool withSame) {
    beginResetModel();
    m_words = words;
    m_withSame = withSame;
    choose();
    endResetModel();
}

void DiffTable::choose() {
    m_rows.clear();
    const auto words = m_words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_diff.tensors.size(); ++i) {
        const auto& tensor = m_diff.tensors[i];
        const QString name = QString::fromStdString(tensor.name);
        const bool named = std::all_of(words.begin(), words.end(),
                                       [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
        if (named && (m_withSame || tensor.state != State::Same)) m_rows.push_back(i);
    }
    if (m_column == Name) { // they are in that order
        if (m_order == Qt::DescendingOrder) std::reverse(m_rows.begin(), m_rows.end());
        return;
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), [this](std::size_t a, std::size_t b) {
        const double first = diffKey(m_diff.tensors[a], m_column), second = diffKey(m_diff.tensors[b], m_column);
        return m_order == Qt::AscendingOrder ? first < second : second < first;
    });
}

const run::TensorDiff* DiffTable::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_diff.tensors[m_rows[static_cast<std::size_t>(row)]] : nullptr;
}

int DiffTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DiffTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant DiffTable::data(const QModelIndex& index, int role) const {
    const auto* tensor = at(index.row());
    if (!tensor) return {};
    const int column = index.column();
    const bool isNumber = column >= Norm && column <= Greatest;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == Distribution)
        return tr("from %1 to %2; grey: before, coloured: after").arg(exactText(tensor->low), exactText(tensor->high));
    if (role == Qt::ToolTipRole) return QString::fromStdString(tensor->name);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case Name: return QString::fromStdString(tensor->name);
    case Shape: return shapeWords(tensor->state == State::OnlySecond ? tensor->otherShape : tensor->shape);
    case Changed: return changedWords(*tensor);
    case Norm: return tensor->state == State::OnlySecond ? kNoValue : number(tensor->norm);
    case NormAfter: return tensor->state == State::OnlyFirst ? kNoValue : number(tensor->otherNorm);
    case Relative: return isInBoth(*tensor) ? number(tensor->relative()) : kNoValue;
    case Greatest: return isInBoth(*tensor) ? number(tensor->greatest) : kNoValue;
    default: return {};
    }
}

QVariant DiffTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool isNumber = section >= Norm && section <= Greatest;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Relative)
        return tr("L2 norm of the difference, divided by the norm of the first: 0.01 is a change of 1%");
    const std::array titles{tr("Tensor"), tr("Shape"),           tr("Changed"),        tr("Norm"),
                            tr("After"),  tr("Relative change"), tr("Largest change"), tr("Distribution")};
    return role == Qt::DisplayRole ? QVariant(titles[static_cast<std::size_t>(section)]) : QVariant();
}

void DiffTable::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_column = column;
    m_order = order;
    choose();
    endResetModel();
}

} // namespace trainyard::ui
