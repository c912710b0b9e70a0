// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/compare_table.h"

#include "engine/run/actions/compare_groups.h"
#include "ui/models/text/engine_text.h"
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
    case run::ComparedRow::Part::Timing: return CompareTable::tr("Timings");
    case run::ComparedRow::Part::Environment: return CompareTable::tr("Environment");
    }
    return {};
}

// "Val loss, best"; settings by their paths.
QString rowTitle(const run::ComparedRow& row) {
    const bool isSetting =
        row.part == run::ComparedRow::Part::Setting || row.part == run::ComparedRow::Part::Environment;
    const auto of = run::seriesAspect(row.name);
    const bool isSeries =
        !isSetting && QString::fromStdString(row.name).endsWith(QLatin1String(run::toString(of.aspect)));
    static const std::string argument = "program.arguments."; // a person knows it by its own name
    if (!isSeries)
        return QString::fromStdString(row.name.starts_with(argument) ? row.name.substr(argument.size()) : row.name);
    return CompareTable::tr("%1, %2").arg(seriesTitle(QString::fromStdString(of.series)), aspectText(of.aspect));
}

ComparedColumn columnOf(const RunItemPtr& run) { return {run->id, run->name, run->name, run->color, {run}}; }

// With a column for each run, or for each group of runs.
run::Comparison comparisonOf(const std::vector<ComparedColumn>& columns) {
    std::vector<run::StoredRun> runs;
    std::vector<run::ComparedGroup> groups;
    for (const ComparedColumn& column : columns) {
        groups.push_back({column.id.toStdString(), column.name.toStdString(), {}});
        for (const RunItemPtr& run : column.runs) {
            groups.back().runs.push_back(runs.size());
            runs.emplace_back(run->row, run->series);
        }
    }
    const run::Comparison comparison = run::compareRuns(runs);
    return runs.size() == columns.size() ? comparison : run::compareGroups(comparison, groups);
}

} // namespace

std::vector<ComparedColumn> columnsOf(const std::vector<RunItemPtr>& runs) {
    std::vector<ComparedColumn> columns;
    for (const RunItemPtr& run : runs) columns.push_back(columnOf(run));
    return columns;
}

std::vector<ComparedColumn> columnsOf(const std::vector<RunItemPtr>& runs, const ShownGroups& groups) {
    std::vector<ComparedColumn> columns;
    QHash<const RunGroup*, std::size_t> places;
    for (const RunItemPtr& run : runs) {
        const RunGroup* group = groups.of(run->id);
        const auto known = group ? places.constFind(group) : places.constEnd();
        if (known != places.constEnd()) {
            columns[*known].runs.push_back(run);
            continue;
        }
        if (group) places.insert(group, columns.size());
        columns.push_back(group ? ComparedColumn{group->key, group->name, group->fullName, group->color, {run}}
                                : columnOf(run));
    }
    return columns;
}

void CompareTable::setColumns(std::vector<ComparedColumn> columns) {
    columns.resize(std::min<std::size_t>(kMostColumns, columns.size()));
    if (columns == m_columns) return;
    const QString before = baseline();
    m_columns = std::move(columns);
    m_comparison = comparisonOf(m_columns);
    const auto at = std::find(m_comparison.ids.begin(), m_comparison.ids.end(), before.toStdString());
    m_baseline = at == m_comparison.ids.end() ? 0 : static_cast<std::size_t>(at - m_comparison.ids.begin());
    arrange();
}

void CompareTable::setOnlyDifferences(bool only) {
    m_onlyDifferences = only;
    arrange();
}

void CompareTable::setBaseline(const QString& column) {
    const auto at = std::find(m_comparison.ids.begin(), m_comparison.ids.end(), column.toStdString());
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
        if (!isFolded(row.part)) m_shown.push_back({i, false});
    }
    endResetModel();
}

int CompareTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

bool CompareTable::isFolded(run::ComparedRow::Part part) const {
    return std::find(m_folded.begin(), m_folded.end(), part) != m_folded.end();
}

void CompareTable::togglePart(int row) {
    if (row < 0 || row >= rowCount() || !m_shown[static_cast<std::size_t>(row)].isPart) return;
    const auto part = m_comparison.rows[m_shown[static_cast<std::size_t>(row)].row].part;
    if (std::erase(m_folded, part) == 0) m_folded.push_back(part);
    arrange();
}

QStringList CompareTable::folded() const {
    QStringList parts;
    for (const auto part : m_folded) parts << QLatin1String(run::toString(part));
    return parts;
}

void CompareTable::setFolded(const QStringList& parts) {
    using Part = run::ComparedRow::Part;
    m_folded.clear();
    for (const Part part : {Part::Result, Part::Setting, Part::Timing, Part::Environment})
        if (parts.contains(QLatin1String(run::toString(part)))) m_folded.push_back(part);
    arrange();
}

int CompareTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

// Epochs and steps are whole numbers in every run, and have no decimals.
static QString resultText(const run::ComparedRow& row, std::size_t column) {
    if (std::isnan(row.numbers[column])) return QString::fromStdString(row.values[column]);
    const bool areWhole = std::all_of(row.values.begin(), row.values.end(), [](const std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos;
    });
    return areWhole ? countText(row.numbers[column]) : metricText(row.numbers[column]);
}

QString CompareTable::cellText(const run::ComparedRow& row, std::size_t column) const {
    using Part = run::ComparedRow::Part;
    if (row.values[column].empty()) return kNoValue;
    const bool isMeasured = row.part == Part::Result || row.part == Part::Timing;
    QString value = isMeasured ? resultText(row, column) : localText(QString::fromStdString(row.values[column]));
    if (column < row.spreads.size() && std::isfinite(row.spreads[column]))
        value = QStringLiteral("%1 ± %2").arg(value, metricText(row.spreads[column]));
    QString difference = QString::fromStdString(run::differenceText(row, column, m_baseline));
    if (difference.isEmpty()) return value;
    difference.replace(QLatin1Char('-'), QChar(0x2212)); // the minus sign
    return QStringLiteral("%1  %2").arg(value, percentText(localText(difference.chopped(1))));
}

static QVariant tintOf(run::Verdict verdict) {
    switch (verdict) {
    case run::Verdict::Better: return Theme::current().successBg;
    case run::Verdict::Worse: return Theme::current().errorBg;
    case run::Verdict::Neither: break;
    }
    return {};
}

QVariant CompareTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Shown& shown = m_shown[static_cast<std::size_t>(index.row())];
    const run::ComparedRow& row = m_comparison.rows[shown.row];
    if (role == IsPartRole) return shown.isPart;
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (shown.isPart) return {};
    const auto column = static_cast<std::size_t>(index.column());
    const bool same = row.values[column] == row.values[m_baseline];
    switch (role) {
    case Qt::DisplayRole: return cellText(row, column);
    case Qt::ToolTipRole: return localText(QString::fromStdString(row.values[column]));
    case Qt::BackgroundRole: return tintOf(run::verdictOf(row, column, m_baseline));
    case Qt::ForegroundRole: return column != m_baseline && same ? Theme::current().text3 : Theme::current().text;
    case Qt::FontRole: return run::isBestOf(row, column) ? QVariant(Theme::current().heading) : QVariant();
    default: return {};
    }
}

QVariant CompareTable::rowHeader(int row, int role) const {
    if (row < 0 || row >= rowCount()) return {};
    const Shown& shown = m_shown[static_cast<std::size_t>(row)];
    const run::ComparedRow& of = m_comparison.rows[shown.row];
    switch (role) {
    case IsPartRole: return shown.isPart;
    case IsFoldedRole: return isFolded(of.part);
    case Qt::DisplayRole: return shown.isPart ? partTitle(of.part) : rowTitle(of);
    case Qt::ToolTipRole: return shown.isPart ? QVariant() : QVariant(QString::fromStdString(of.name));
    default: return {};
    }
}

QVariant CompareTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return rowHeader(section, role);
    if (section < 0 || section >= columnCount()) return {};
    const ComparedColumn& column = m_columns[static_cast<std::size_t>(section)];
    const bool isBaseline = static_cast<std::size_t>(section) == m_baseline;
    const auto runs = static_cast<int>(column.runs.size());
    const QString name = column.isGroup() ? tr("%1, %n runs", nullptr, runs).arg(column.name) : column.name;
    switch (role) {
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::DisplayRole: return column.name;
    case Qt::AccessibleTextRole: return isBaseline ? tr("%1 (baseline)").arg(name) : name;
    case Qt::ToolTipRole:
        return isBaseline ? tr("%1, the baseline").arg(column.fullName)
                          : tr("%1\nClick to compare the others with it").arg(column.fullName);
    case ColorRole: return Theme::current().curve(column.color);
    case IsBaselineRole: return isBaseline;
    case CountRole: return column.isGroup() ? countText(runs) : QString();
    default: return {};
    }
}

} // namespace trainyard::ui
