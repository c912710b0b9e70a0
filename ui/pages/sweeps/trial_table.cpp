// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_table.h"

#include "ui/actions/action.h"
#include "ui/pages/sweeps/trial_delegate.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/status_chip.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QTableView>

namespace trainyard::ui {

namespace {

constexpr int kMeasuredRows = 200; // rows whose texts set the column widths
constexpr int kWidestStatus = 240; // the reason in full is in the tooltip
constexpr int kLeastStatus = 80;   // the first word of it
constexpr int kWidestColumn = 140;
constexpr int kTitleRoom = 24; // margins
constexpr int kArrowRoom = 20; // of the sort arrow

} // namespace

TrialTable::TrialTable(Workbench& bench, const TrialList& trials, const TrialFilter& filter, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_model(bench.feed, trials, filter) {
    build();
    connectSelection();
}

void TrialTable::build() {
    m_view = plainTable(&m_model, tr("Trials"));
    m_view->setItemDelegate(new TrialDelegate(m_bench, m_model, m_view));
    m_view->setMouseTracking(true);
    m_view->viewport()->installEventFilter(this);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed); // so that Qt does not measure ten thousand rows
    auto* header = m_view->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setResizeContentsPrecision(kMeasuredRows);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(m_model.sortColumn(), m_model.sortOrder());
    m_view->setSortingEnabled(true);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &TrialTable::showMenu);
    column(this)->addWidget(m_view);
    m_paused = new StatusChip(tr("Order paused"));
    m_paused->setParent(m_view);
    m_paused->setToolTip(tr("The rows are sorted again when the pointer leaves the table"));
    m_paused->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_paused->hide();
    connect(&m_model, &TrialsModel::orderPausedChanged, this, [this](bool paused) {
        m_paused->setVisible(paused);
        placePaused();
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this, header] {
        // Different columns have a different sort order.
        if (header->sortIndicatorSection() != m_model.sortColumn() ||
            header->sortIndicatorOrder() != m_model.sortOrder())
            header->setSortIndicator(m_model.sortColumn(), m_model.sortOrder());
        measureColumns();
        showCurrent();
    });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &TrialTable::measureColumns);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column) {
        if (column < 0 || column >= m_widths.size()) return;
        m_widths[column] = std::max(m_widths[column], titleWidth(column));
        fitColumns();
    });
    connect(header, &QHeaderView::sectionResized, this,
            [this] { m_ownWidths = m_ownWidths || (!m_isFitting && QGuiApplication::mouseButtons() != Qt::NoButton); });
    connect(m_view, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        m_bench.selection.setCurrent(m_model.trialAt(index.row()).run->id);
        Q_EMIT m_bench.pageRequested(PageId::runs);
    });
}

void TrialTable::connectSelection() {
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && index.row() < m_model.rowCount())
            m_bench.selection.setCurrent(m_model.trialAt(index.row()).run->id);
    });
    connect(m_view, &QTableView::entered, this,
            [this](const QModelIndex& index) { m_bench.selection.setHovered(m_model.trialAt(index.row()).run->id); });
    connect(&m_bench.selection, &RunSelection::currentChanged, this, &TrialTable::showCurrent);
    const auto repaint = [this] { m_view->viewport()->update(); };
    connect(&m_bench.selection, &RunSelection::hoveredChanged, this, repaint);
    connect(&m_bench.selection, &RunSelection::selectedChanged, this, repaint);
}

void TrialTable::showMenu(const QPoint& position) {
    const QModelIndex index = m_view->indexAt(position);
    if (!index.isValid()) return;
    const ActionTarget target{m_bench, m_model.trialAt(index.row()).run, window()};
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_isMenuOpen = true;
    keepOrder();
    connect(menu, &QMenu::aboutToHide, this, [this] {
        m_isMenuOpen = false;
        keepOrder();
    });
    ui::addActions(*menu,
                   {"stop-trial", "kill-trial", "promote-trial", "retry-trial", "", "fork", "run-again", "", "copy-id",
                    "open-folder"},
                   target);
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

bool TrialTable::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) m_bench.selection.setHovered({});
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
        m_isPointerIn = event->type() == QEvent::Enter;
        keepOrder();
    } else if (event->type() == QEvent::Resize) {
        placePaused();
        fitColumns();
    }
    return QWidget::eventFilter(watched, event);
}

void TrialTable::keepOrder() { m_model.setOrderKept(m_isPointerIn || m_isMenuOpen); }

// At the bottom right, over the rows.
void TrialTable::placePaused() {
    const int gap = Theme::current().px(8);
    m_paused->resize(m_paused->sizeHint());
    const QRect area = m_view->viewport()->geometry();
    m_paused->move(area.right() - m_paused->width() - gap, area.bottom() - m_paused->height() - gap);
    m_paused->raise();
}

// Selects the row of the window's current run. A run without a row stays the current one.
void TrialTable::showCurrent() {
    const int row = m_model.rowOf(m_bench.selection.current());
    const QSignalBlocker quiet(m_view->selectionModel());
    if (row < 0) m_view->clearSelection();
    else if (m_view->currentIndex().row() != row || !m_view->selectionModel()->hasSelection()) m_view->selectRow(row);
    m_view->viewport()->update();
}

int TrialTable::titleWidth(int column) const {
    const Theme& theme = Theme::current();
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool sorted = m_view->horizontalHeader()->sortIndicatorSection() == column;
    return QFontMetrics(theme.small).horizontalAdvance(title) + theme.px(kTitleRoom + (sorted ? kArrowRoom : 0));
}

// Once for each set of columns, and again when there are more rows to measure.
void TrialTable::measureColumns() {
    QStringList columns;
    for (int i = 0; i < m_model.columnCount(); ++i)
        columns << m_model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
    const int rows = std::min(m_model.rowCount(), kMeasuredRows);
    if (columns == m_measured && rows <= m_measuredRows) return;
    if (columns != m_measured) m_ownWidths = false;
    m_measured = columns;
    m_measuredRows = rows;
    m_widths.clear();
    for (int i = 0; i < m_model.columnCount(); ++i) {
        const int widest = Theme::current().px(i == m_model.statusColumn() ? kWidestStatus : kWidestColumn);
        const int content = static_cast<QAbstractItemView*>(m_view)->sizeHintForColumn(i);
        m_widths << std::max(titleWidth(i), std::min(content, widest));
    }
    fitColumns();
}

// No column is cut at the edge: the status gives way first, and what is left over goes to the columns in sight, so that
// the next one begins beyond the edge.
void TrialTable::fitColumns() {
    if (m_ownWidths || m_widths.isEmpty()) return;
    const QScopedValueRollback fitting(m_isFitting, true);
    const int status = m_model.statusColumn(), room = m_view->viewport()->width();
    QList<int> widths = m_widths;
    widths[status] = std::min(widths[status], std::max(titleWidth(status), Theme::current().px(kLeastStatus)));
    int shown = 0, taken = 0;
    while (shown < widths.size() && taken + widths[shown] <= room) taken += widths[shown++];
    int left = shown > 0 ? room - taken : 0;
    if (status < shown) {
        const int more = std::min(left, m_widths[status] - widths[status]);
        widths[status] += more;
        left -= more;
    }
    if (shown < widths.size())
        for (int i = 0; i < shown; ++i) widths[i] += left / shown + (i < left % shown ? 1 : 0);
    for (int i = 0; i < widths.size(); ++i) m_view->setColumnWidth(i, widths[i]);
}

} // namespace trainyard::ui
