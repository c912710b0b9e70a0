// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/compare_table.h"

#include "ui/models/text/format.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard::ui {

namespace {

QString partTitle(run::ComparedRow::Part part) {
    switch (part) {
    case run::ComparedRow::Part::Result: return CompareTable::tr("Results");
    case run::ComparedRow::Part::Setting: return CompareTable::tr("Settings");
    case run::ComparedRow::Part::Environment: return CompareTable::tr("Environment");
    }
    return {};
}

} // namespace

void CompareTable::setRuns(const std::vector<RunItemPtr>& runs) {
    std::vector<RunItemPtr> wanted(runs.begin(), runs.begin() + std::min<std::ptrdiff_t>(kMostRuns, std::ssize(runs)));
    if (wanted == m_runs) return;
    const QString before = baseline();
    m_runs = std::move(wanted);
    std::vector<run::StoredRun> stored;
    for (const RunItemPtr& run : m_runs) stored.emplace_back(run->row, run->series);
    m_comparison = run::compareRuns(stored);
    const auto at = std::find(m_comparison.ids.begin(), m_comparison.ids.end(), before.toStdString());
    m_baseline = at == m_comparison.ids.end() ? 0 : static_cast<std::size_t>(at - m_comparison.ids.begin());
    arrange();
}

void CompareTable::setOnlyDifferences(bool only) {
    m_onlyDifferences = only;
    arrange();
}

void CompareTable::setBaseline(const QString& run) {
    const auto at = std::find(m_comparison.ids.begin(), m_comparison.ids.end(), run.toStdString());
    if (at == m_comparison.ids.end()) return;
    m_baseline = static_cast<std::size_t>(at - m_comparison.ids.begin());
    arrange();
}

QString CompareTable::baseline() const {
    return m_baseline < m_comparison.ids.size() ? QString::fromStdString(m_comparison.ids[m_baseline]) : QString();
}

int CompareTable::differences() const {
    return static_cast<int>(std::count_if(m_comparison.rows.begin(), m_comparison.rows.end(),
                                          [](const run::ComparedRow& row) { return row.differs; }));
}

void CompareTable::arrange() {
    beginResetModel();
    m_shown.clear();
    std::optional<run::ComparedRow::Part> part;
    for (std::size_t i = 0; i < m_comparison.rows.size(); ++i) {
        const run::ComparedRow& row = m_comparison.rows[i];
        if (m_onlyDifferences && !row.differs) continue;
        if (part != row.part) m_shown.push_back({i, true});
        part = row.part;
        m_shown.push_back({i, false});
    }
    endResetModel();
}

int CompareTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int CompareTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_runs.size());
}

// Epochs and steps are whole numbers, which have no decimals.
static QString resultText(const std::string& text, double number) {
    if (std::isnan(number)) return QString::fromStdString(text);
    return text.find_first_not_of("0123456789") == std::string::npos ? countText(number) : metricText(number);
}

QString CompareTable::cellText(const run::ComparedRow& row, std::size_t run) const {
    if (row.values[run].empty()) return kNoValue;
    const bool isResult = row.part == run::ComparedRow::Part::Result;
    const QString value =
        isResult ? resultText(row.values[run], row.numbers[run]) : QString::fromStdString(row.values[run]);
    const QString difference = QString::fromStdString(run::differenceText(row, run, m_baseline));
    return difference.isEmpty() ? value : QStringLiteral("%1  %2").arg(value, percentText(difference.chopped(1)));
}

QVariant CompareTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Shown& shown = m_shown[static_cast<std::size_t>(index.row())];
    const run::ComparedRow& row = m_comparison.rows[shown.row];
    if (role == IsPartRole) return shown.isPart;
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (shown.isPart) {
        if (index.column() > 0) return {};
        if (role == Qt::FontRole) return Theme::current().heading;
        return role == Qt::DisplayRole ? QVariant(partTitle(row.part)) : QVariant();
    }
    if (index.column() == 0)
        return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(QString::fromStdString(row.name))
               : role == Qt::ForegroundRole                       ? QVariant(Theme::current().text2)
                                                                  : QVariant();
    const auto run = static_cast<std::size_t>(index.column() - 1);
    const bool same = row.values[run] == row.values[m_baseline];
    switch (role) {
    case Qt::DisplayRole: return cellText(row, run);
    case Qt::ToolTipRole: return QString::fromStdString(row.values[run]);
    case Qt::ForegroundRole: return run != m_baseline && same ? Theme::current().text3 : Theme::current().text;
    case Qt::FontRole: return run == m_baseline || same ? QVariant() : QVariant(Theme::current().heading);
    default: return {};
    }
}

QVariant CompareTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (section == 0 || section > static_cast<int>(m_runs.size())) return {};
    const RunItem& run = *m_runs[static_cast<std::size_t>(section - 1)];
    if (role == Qt::DisplayRole)
        return static_cast<std::size_t>(section - 1) == m_baseline ? tr("%1 (baseline)").arg(run.name) : run.name;
    return role == Qt::ToolTipRole ? QVariant(run.id) : QVariant();
}

} // namespace trainyard::ui
