// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/class_table.h"

#include "ui/models/text/format.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace trainyard::ui {

namespace {

// A column of numbers beside the name.
struct ScoreColumn {
    const char* title; // to be translated
    const char* tip;
    double (*value)(const run::ClassScore& score);
    bool share = false; // from 0 to 1
    bool count = false;
};

constexpr ScoreColumn kClassColumns[] = {
    {QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Precision"),
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Share of the samples predicted as this class that belong to it"),
     [](const run::ClassScore& score) { return score.precision; }, true},
    {QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Recall"),
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Share of this class's samples that were predicted as it"),
     [](const run::ClassScore& score) { return score.recall; }, true},
    {QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "F1"),
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Harmonic mean of precision and recall"),
     [](const run::ClassScore& score) { return score.f1; }, true},
    {QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Support"),
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Number of samples of this class"),
     [](const run::ClassScore& score) { return static_cast<double>(score.samples); }, false, true}};

constexpr ScoreColumn kLabelColumns[] = {
    kClassColumns[0],
    kClassColumns[1],
    kClassColumns[2],
    kClassColumns[3],
    {QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Threshold"),
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable",
                       "Probability from which on the label is given, chosen on the validation samples"),
     [](const run::ClassScore& score) { return score.threshold; }, true}};

constexpr ScoreColumn kTargetColumns[] = {
    {"RMSE", QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Root mean squared error, in the units of the data"),
     [](const run::ClassScore& score) { return score.rmse; }},
    {"MAE", QT_TRANSLATE_NOOP("trainyard::ui::ClassTable", "Mean absolute error, in the units of the data"),
     [](const run::ClassScore& score) { return score.mae; }},
    {"R²",
     QT_TRANSLATE_NOOP("trainyard::ui::ClassTable",
                       "Coefficient of determination: 1 is perfect, 0 is no better than the mean"),
     [](const run::ClassScore& score) { return score.r2; }}};

std::span<const ScoreColumn> columnsOf(spec::TaskKind task) {
    if (task == spec::TaskKind::Regression) return kTargetColumns;
    if (task == spec::TaskKind::MultiLabel) return kLabelColumns;
    return kClassColumns;
}

} // namespace

void ClassTable::setScores(spec::TaskKind task, const std::vector<run::ClassScore>& scores) {
    const bool same = task == m_task && scores.size() == m_scores.size();
    if (!same) beginResetModel();
    m_task = task;
    m_scores = scores;
    if (!same) {
        if (m_column >= columnCount()) m_column = -1;
        m_order.resize(m_scores.size());
        arrange();
        return endResetModel();
    }
    sort(m_column, m_direction);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ClassTable::classAt(int row) const {
    return row >= 0 && row < rowCount() ? m_order[static_cast<std::size_t>(row)] : -1;
}

int ClassTable::rowOf(int number) const {
    const auto at = std::find(m_order.begin(), m_order.end(), number);
    return at == m_order.end() ? -1 : static_cast<int>(at - m_order.begin());
}

int ClassTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int ClassTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(columnsOf(m_task).size());
}

QVariant ClassTable::data(const QModelIndex& index, int role) const {
    const int number = classAt(index.row());
    if (number < 0) return {};
    const run::ClassScore& score = m_scores[static_cast<std::size_t>(number)];
    if (index.column() == 0) {
        const QString name = QString::fromStdString(score.name);
        return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(name) : QVariant();
    }
    const ScoreColumn& column = columnsOf(m_task)[static_cast<std::size_t>(index.column() - 1)];
    const double value = column.value(score);
    switch (role) {
    case Qt::DisplayRole:
        if (column.count) return countText(value);
        return column.share ? fixedText(value, 3) : metricText(value);
    case Qt::ToolTipRole: return QStringLiteral("%1: %2").arg(tr(column.title), exactText(value));
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case ShareRole: return column.share ? QVariant(value) : QVariant();
    default: return {};
    }
}

QVariant ClassTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (section == 0) {
        if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        if (role != Qt::DisplayRole) return {};
        return m_task == spec::TaskKind::Regression ? tr("Column") : tr("Class");
    }
    const ScoreColumn& column = columnsOf(m_task)[static_cast<std::size_t>(section - 1)];
    switch (role) {
    case Qt::DisplayRole: return tr(column.title);
    case Qt::ToolTipRole: return tr(column.tip);
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

void ClassTable::sort(int column, Qt::SortOrder order) {
    const QModelIndexList before = persistentIndexList();
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    std::vector<int> numbers;
    for (const QModelIndex& each : before) numbers.push_back(classAt(each.row()));
    m_column = column;
    m_direction = order;
    arrange();
    QModelIndexList after;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        after << index(rowOf(numbers[i]), before[static_cast<qsizetype>(i)].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

// Equal ones stay in the order of the classes.
void ClassTable::arrange() {
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_column < 0 || m_column >= columnCount()) return;
    const auto less = [&](int a, int b) {
        const run::ClassScore &left = m_scores[static_cast<std::size_t>(a)],
                              &right = m_scores[static_cast<std::size_t>(b)];
        if (m_column == 0) return left.name < right.name;
        const auto value = columnsOf(m_task)[static_cast<std::size_t>(m_column - 1)].value;
        return value(left) < value(right);
    };
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&](int a, int b) { return m_direction == Qt::AscendingOrder ? less(a, b) : less(b, a); });
}

} // namespace trainyard::ui
