// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/chart_values.h"

#include "ui/models/text/format.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLocale>
#include <QTableView>

#include <algorithm>

namespace trainyard::ui {

ChartValues::ChartValues(std::vector<CsvSeries> curves, QObject* parent)
    : QAbstractTableModel(parent), m_curves(std::move(curves)) {
    std::erase_if(m_curves, [](const auto& curve) { return curve.data.isEmpty(); });
    m_oneSeries = std::all_of(m_curves.begin(), m_curves.end(),
                              [this](const auto& curve) { return curve.metric == m_curves.front().metric; });
    for (const CsvSeries& curve : m_curves) {
        std::vector<qint64> steps, merged;
        for (std::size_t i = 0; i < curve.data.size(); ++i) steps.push_back(curve.data.at(i).step);
        std::set_union(m_steps.begin(), m_steps.end(), steps.begin(), steps.end(), std::back_inserter(merged));
        m_steps = std::move(merged);
    }
}

int ChartValues::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int ChartValues::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FirstCurve + static_cast<int>(m_curves.size());
}

std::optional<PlotPoint> ChartValues::pointAt(int row, const CsvSeries& curve) const {
    const qint64 step = m_steps[static_cast<std::size_t>(row)];
    const auto first = std::lower_bound(m_steps.begin(), m_steps.end(), step) - m_steps.begin();
    const std::size_t at =
        curve.data.lowerBound(XMode::Step, static_cast<double>(step)) + static_cast<std::size_t>(row - first);
    if (at >= curve.data.size()) return std::nullopt;
    const PlotPoint point = curve.data.at(at);
    return point.step == step ? std::optional(point) : std::nullopt;
}

QString ChartValues::cell(int row, int column, bool exact) const {
    const auto number = [exact](double value) { return exact ? csvNumber(value) : digitsText(value, 7); };
    if (column == StepColumn) {
        const qint64 step = m_steps[static_cast<std::size_t>(row)];
        return exact ? QString::number(step) : QLocale().toString(step);
    }
    if (column >= FirstCurve) {
        const auto point = pointAt(row, m_curves[static_cast<std::size_t>(column - FirstCurve)]);
        return point ? number(point->value) : QString();
    }
    for (const CsvSeries& curve : m_curves) { // the first curve with this step gives its epoch and time
        const auto point = pointAt(row, curve);
        if (!point) continue;
        if (column == EpochColumn) return exact ? number(point->epoch) : QLocale().toString(point->epoch, 'f', 2);
        return exact ? number(point->timeSeconds) : formatDuration(point->timeSeconds);
    }
    return {};
}

QVariant ChartValues::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return cell(index.row(), index.column(), false);
    if (role == Qt::ToolTipRole) return cell(index.row(), index.column(), true);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    return {};
}

QVariant ChartValues::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    switch (section) {
    case StepColumn: return tr("Step");
    case EpochColumn: return tr("Epoch");
    case TimeColumn: return tr("Time");
    default: break;
    }
    const CsvSeries& curve = m_curves[static_cast<std::size_t>(section - FirstCurve)];
    return m_oneSeries ? curve.style.name : tr("%1, %2").arg(curve.style.name, curve.metric);
}

QString ChartValues::text(const QList<int>& rows) const {
    QStringList lines;
    const auto add = [&](auto cellOf) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column) cells << cellOf(column);
        lines << cells.join(QLatin1Char('\t'));
    };
    add([this](int column) { return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    const int count = rows.isEmpty() ? rowCount() : static_cast<int>(rows.size());
    for (int i = 0; i < count; ++i) add([&](int column) { return cell(rows.isEmpty() ? i : rows[i], column, true); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

ValuesSheet::ValuesSheet(QWidget* window, const QString& chart, std::vector<CsvSeries> curves)
    : Sheet(window, QSize(900, 600)), m_values(new ChartValues(std::move(curves), this)) {
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 16, 8, 8, 8);
    top->addWidget(new Label(tr("Values of %1").arg(chart), TextRole::Title));
    top->addWidget(new Label(tr("%1 rows so far").arg(QLocale().toString(m_values->rowCount())), TextRole::Secondary),
                   1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_table = plainTable(m_values, tr("Values of %1").arg(chart));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto* header = m_table->horizontalHeader();
    for (int column = 0; column < m_values->columnCount(); ++column)
        header->setSectionResizeMode(column,
                                     column < ChartValues::FirstCurve ? QHeaderView::Fixed : QHeaderView::Stretch);
    header->setMinimumSectionSize(Theme::current().px(96));
    m_table->installEventFilter(this);
    if (m_values->rowCount() > 0) m_table->setCurrentIndex(m_values->index(m_values->rowCount() - 1, 0));
    m_table->scrollToBottom();
    auto* foot = new Surface(SurfaceColor::Panel, TopEdge);
    auto* bottom = row(foot, 8);
    setMargins(bottom, 16, 8, 16, 8);
    auto* selected = button(tr("Copy selected"), QStringLiteral("copy"));
    auto* all = button(tr("Copy all"), QStringLiteral("copy"));
    bottom->addStretch(1);
    bottom->addWidget(selected);
    bottom->addWidget(all);
    connect(selected, &QPushButton::clicked, this, [this] { copy(false); });
    connect(all, &QPushButton::clicked, this, [this] { copy(true); });
    body()->addWidget(head);
    body()->addWidget(m_table, 1);
    body()->addWidget(foot);
    setFirst(m_table);
}

void ValuesSheet::copy(bool all) {
    QList<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    if (all || !rows.isEmpty()) QApplication::clipboard()->setText(m_values->text(all ? QList<int>() : rows));
}

bool ValuesSheet::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy(false);
        return true;
    }
    return Sheet::eventFilter(watched, event);
}

} // namespace trainyard::ui
