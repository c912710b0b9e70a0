// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/runs_view.h"

#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/table/run_delegate.h"
#include "ui/theme/icon.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>

namespace trainyard::ui {

namespace {

constexpr int kLeastName = 120;  // of the first column; a narrower view scrolls
constexpr int kLeastTitle = 150; // of the first column when it has group titles
constexpr int kMeanWidth = 116;  // of a column of means with spread
constexpr int kNamedScore = 132; // of scores that each say what they are,
constexpr int kNameRoom = 150;   // of the first column, or the trend goes
constexpr int kNameBeside = 200; // if the first column has as much
constexpr int kAgeAlone = 62;    // of the ages, where no run says how long it still takes
constexpr int kLeastColumn = 36;
constexpr int kRefitMs = 150;
constexpr int kTitlePad = 6, kNameTitle = 46; // of the titles, as of the cells

QString keyOf(const QModelIndex& heading) {
    return (heading.data(RunsModel::IsSweepRole).toBool() ? QStringLiteral("sweep ") : QStringLiteral("group ")) +
           heading.data(RunsModel::KeyRole).toString();
}

} // namespace

namespace {

// Titles with the margins of the cells below them, and the arrow of the order.
class RunsHeader : public QHeaderView {
public:
    explicit RunsHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Theme& theme = Theme::current();
        painter->save();
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.border);
        const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        QRect text =
            rect.adjusted(section == 0 ? theme.px(kNameTitle) : theme.px(kTitlePad), 0, -theme.px(kTitlePad), 0);
        if (sorted) {
            const int side = theme.px(12);
            const QRect arrow(text.right() - side + 1, text.center().y() - side / 2 + 1, side, side);
            paintSortArrow(*painter, arrow, sortIndicatorOrder(), theme.text2);
            text.setRight(arrow.left() - 1);
        }
        const auto role = [&](int which) { return model()->headerData(section, Qt::Horizontal, which); };
        painter->setFont(theme.small);
        painter->setPen(sorted ? theme.text2 : theme.text3);
        painter->drawText(
            text, role(Qt::TextAlignmentRole).toInt(),
            painter->fontMetrics().elidedText(role(Qt::DisplayRole).toString(), Qt::ElideRight, text.width() + 1));
        painter->restore();
    }
};

} // namespace

RunsView::RunsView(Workbench& bench, RunsModel& model, QWidget* parent)
    : QTreeView(parent), m_bench(bench), m_model(model) {
    m_model.setColumns(columnsFromText(Settings::runColumns.of(root()).get()));
    m_model.setGrouping(groupingFromText(Settings::runGrouping.of(root()).get()));
    setModel(&m_model);
    setItemDelegate(new RunDelegate(bench, model, this));
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setAllColumnsShowFocus(true);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setExpandsOnDoubleClick(false);
    setMouseTracking(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Runs"));
    buildHeader();
    m_refit.setSingleShot(true);
    m_refit.setInterval(kRefitMs);
    connect(&m_refit, &QTimer::timeout, this, [this] {
        if (QApplication::mouseButtons() == Qt::NoButton) fitColumns();
        else m_refit.start();
    });
    connect(this, &QTreeView::expanded, this, &RunsView::noteToggled);
    connect(this, &QTreeView::collapsed, this, &RunsView::noteToggled);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { openHeadings({}, 0, m_model.rowCount() - 1); });
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, &RunsView::openHeadings);
    connect(&m_model, &QAbstractItemModel::headerDataChanged, this, &RunsView::fitColumns); // other scores
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, [this] {
        const bool hasActive = m_bench.feed.activeCount() > 0;
        if (std::exchange(m_hasActive, hasActive) != hasActive) fitColumns();
    });
}

void RunsView::buildHeader() {
    setHeader(new RunsHeader(this));
    auto* head = header();
    head->setProperty("seeThrough", true);
    head->setAutoFillBackground(false);
    head->viewport()->setAutoFillBackground(false);
    head->setFixedHeight(Theme::current().px(28));
    head->setMinimumSectionSize(Theme::current().px(kLeastColumn));
    head->setHighlightSections(false);
    head->setStretchLastSection(false);
    head->setSectionsMovable(true);
    head->setFirstSectionMovable(false);
    head->setSectionsClickable(true);
    head->setSortIndicatorClearable(true);
    head->setAccessibleName(tr("Columns of the runs"));
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(head, &QWidget::customContextMenuRequested, this, &RunsView::headerMenu);
    connect(head, &QHeaderView::sectionMoved, this, [this] {
        if (!m_fitting) QTimer::singleShot(0, this, &RunsView::columnMoved); // once the header has finished the move
    });
    connect(head, &QHeaderView::sectionResized, this,
            [this](int column, int, int width) { columnResized(column, width); });
    restoreOrder();
    setSortingEnabled(true);
    connect(head, &QHeaderView::sortIndicatorChanged, this, &RunsView::saveOrder);
    fitColumns();
}

void RunsView::restoreOrder() {
    int column = -1;
    const QStringList saved = Settings::runOrder.of(root()).get();
    const QList<RunColumn> wanted = saved.size() == 2 ? columnsFromText({saved[0]}) : QList<RunColumn>{};
    for (int i = 0; i < m_model.columns().size(); ++i)
        if (!wanted.isEmpty() && m_model.columns()[i].isSame(wanted.last())) column = i;
    const bool down = saved.size() == 2 && saved[1] == QLatin1String("down");
    header()->setSortIndicator(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RunsView::saveOrder(int column, Qt::SortOrder order) const {
    if (column < 0 || column >= m_model.columns().size()) return Settings::runOrder.of(root()).forget();
    Settings::runOrder.of(root()).set({columnsToText({m_model.columns()[column]}).first(),
                                       order == Qt::DescendingOrder ? QStringLiteral("down") : QStringLiteral("up")});
}

void RunsView::saveColumns() const { Settings::runColumns.of(root()).set(columnsToText(m_model.columns())); }

void RunsView::setColumns(const QList<RunColumn>& columns) {
    const QScopedValueRollback fitting(m_fitting, true);
    // The sort column may have moved, or gone.
    const int sorted = header()->sortIndicatorSection();
    const bool wasSorted = sorted >= 0 && sorted < m_model.columns().size();
    const RunColumn by = wasSorted ? m_model.columns()[sorted] : RunColumn{};
    const Qt::SortOrder order = header()->sortIndicatorOrder();
    m_model.setColumns(columns);
    int place = -1;
    for (int i = 0; i < columns.size(); ++i)
        if (wasSorted && columns[i].isSame(by)) place = i;
    header()->setSortIndicator(place, order);
    for (int i = 0; i < header()->count(); ++i) header()->moveSection(header()->visualIndex(i), i);
    saveColumns();
    fitColumns();
}

void RunsView::setGrouping(const RunGrouping& grouping) {
    m_toggled.clear();
    m_model.setGrouping(grouping);
    Settings::runGrouping.of(root()).set(groupingToText(grouping));
    fitColumns();
}

void RunsView::selectAll() {
    QItemSelection all;
    addRuns({}, all);
    selectionModel()->select(all, QItemSelectionModel::ClearAndSelect);
}

// Headings cannot be selected, so a range may hold some.
void RunsView::addRuns(const QModelIndex& heading, QItemSelection& selection) const {
    const int rows = m_model.rowCount(heading);
    if (rows == 0) return;
    selection.append(QItemSelectionRange(m_model.index(0, 0, heading),
                                         m_model.index(rows - 1, m_model.columnCount(heading) - 1, heading)));
    for (int row = 0; row < rows; ++row) addRuns(m_model.index(row, 0, heading), selection);
}

// The first column takes the rest of the width.
void RunsView::fitColumns() {
    const QScopedValueRollback fitting(m_fitting, true);
    const Theme& theme = Theme::current();
    const bool means = m_model.grouping().by != RunGrouping::By::Status;
    header()->setSectionResizeMode(0, QHeaderView::Fixed);
    int others = 0, score = 0;
    for (int i = 1; i < m_model.columns().size(); ++i) {
        const RunColumn& column = m_model.columns()[i];
        const bool mean = means && isNumeric(column) && column.width == 0 && column.kind != RunColumn::Kind::Age;
        int width = theme.px(std::max(mean ? kMeanWidth : 0, ui::columnWidth(column)));
        if (column.kind == RunColumn::Kind::Age && column.width == 0 && !m_hasActive) width = theme.px(kAgeAlone);
        if (column.kind == RunColumn::Kind::Score && column.width == 0) {
            if (m_model.isScoreMixed()) score = i;
            const QString name = m_model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString(); // may be long
            const int arrow = header()->sortIndicatorSection() == i ? 13 : 0;
            width =
                std::max(width, QFontMetrics(theme.small).horizontalAdvance(name) + theme.px(2 * kTitlePad + arrow));
        }
        header()->resizeSection(i, width);
        others += width;
    }
    // Where a name would be cut to a few letters, its trend goes: it is the least of the columns.
    for (int i = 1; i < m_model.columns().size(); ++i) {
        if (m_model.columns()[i].kind != RunColumn::Kind::Trend) continue;
        const bool isNarrow = m_model.columns()[i].width == 0 && viewport()->width() - others < theme.px(kNameRoom);
        header()->setSectionHidden(i, isNarrow);
        if (isNarrow) others -= theme.px(ui::columnWidth(m_model.columns()[i]));
    }
    // What each score is a score of takes no room from the names of the runs.
    const int more = theme.px(kNamedScore) - (score > 0 ? header()->sectionSize(score) : theme.px(kNamedScore));
    if (more > 0 && viewport()->width() - others - more >= theme.px(kNameBeside)) {
        header()->resizeSection(score, theme.px(kNamedScore));
        others += more;
    }
    header()->resizeSection(0, std::max(theme.px(means ? kLeastTitle : kLeastName), viewport()->width() - others));
}

void RunsView::columnMoved() {
    QList<RunColumn> moved;
    for (int place = 0; place < header()->count(); ++place) moved << m_model.columns()[header()->logicalIndex(place)];
    setColumns(columnsFromText(columnsToText(moved)));
}

void RunsView::columnResized(int column, int width) {
    if (m_fitting || column >= m_model.columns().size()) return;
    QList<RunColumn> columns = m_model.columns();
    columns[column].width = std::max(1, width * 100 / Theme::current().px(100));
    m_model.setColumns(columns);
    saveColumns();
    m_refit.start();
}

void RunsView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    fitColumns();
}

// Qt repaints the whole view when several columns change; this view repaints only their row.
void RunsView::dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) {
    if (first.row() != last.row() || first.parent() != last.parent()) return QTreeView::dataChanged(first, last, roles);
    for (int column = first.column(); column <= last.column(); ++column) {
        const QModelIndex cell = first.siblingAtColumn(column);
        if (column == first.column()) QTreeView::dataChanged(cell, cell, roles);
        else update(cell);
    }
}

void RunsView::setFiltered(bool filtered) {
    if (filtered == m_filtered) return;
    m_filtered = filtered;
    m_toggled.clear();
}

bool RunsView::opensItself(const QModelIndex& heading) const {
    return heading.data(RunsModel::IsSweepRole).toBool() ? m_filtered
                                                         : m_model.grouping().by == RunGrouping::By::Status;
}

void RunsView::openHeadings(const QModelIndex& parent, int first, int last) {
    const QScopedValueRollback opening(m_opening, true);
    if (parent.isValid() && m_model.rowCount(parent) == last - first + 1) // these are its first rows
        setExpanded(parent, opensItself(parent) != m_toggled.contains(keyOf(parent)));
    for (int row = first; row <= last; ++row) {
        const QModelIndex heading = m_model.index(row, 0, parent);
        if (!heading.data(RunsModel::IsGroupRole).toBool()) continue;
        if (const int below = m_model.rowCount(heading); below > 0) {
            setExpanded(heading, opensItself(heading) != m_toggled.contains(keyOf(heading)));
            if (!heading.parent().isValid()) openHeadings(heading, 0, below - 1);
        }
    }
}

void RunsView::noteToggled(const QModelIndex& heading) {
    if (m_opening) return;
    if (isExpanded(heading) != opensItself(heading)) m_toggled.insert(keyOf(heading));
    else m_toggled.remove(keyOf(heading));
}

void RunsView::toggle(const QModelIndex& heading) {
    const QModelIndex first = heading.siblingAtColumn(0);
    setExpanded(first, !isExpanded(first));
}

} // namespace trainyard::ui
