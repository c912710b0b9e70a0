// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/compare_view.h"

#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/table/compare_header.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QComboBox>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTableView>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kRunWidth = 120, kWidestRun = 200; // where not all runs fit in full
constexpr std::ptrdiff_t kMostGrouped = 500;     // runs in groups
constexpr qsizetype kNewest = 6;                 // number of runs compared when none are selected

// Lets a widget show what is below it: the corner above the names shows the card, as both headers do.
class Unpainted : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        return event->type() == QEvent::Paint || QObject::eventFilter(watched, event);
    }
};

} // namespace

CompareView::CompareView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    const auto refreshed = [this] {
        if (isVisible()) refresh();
    };
    connect(&bench.selection, &RunSelection::selectedChanged, this, refreshed);
    connect(&bench.groups, &ShownGroups::changed, this, refreshed);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, refreshed);
}

void CompareView::build() {
    m_stack = new QStackedLayout(this);
    m_empty = new EmptyState(tr("Nothing to compare"), tr("Select two or more runs in the table."),
                             tr("Compare the newest"), QStringLiteral("compare"));
    connect(m_empty, &EmptyState::triggered, this, &CompareView::compareNewest);
    auto* content = new Surface(SurfaceColor::Card);
    auto* layout = column(content);
    layout->addLayout(buildToolbar());
    m_view = plainTable(&m_table, tr("Compared runs"));
    buildHeaders();
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    layout->addWidget(m_view, 1);
    m_stack->addWidget(new EmptyPage(m_empty));
    m_stack->addWidget(content);
    connect(m_baseline, &QComboBox::activated, this,
            [this] { m_table.setBaseline(m_baseline->currentData().toString()); });
    connect(m_onlyDifferences, &QAbstractButton::toggled, &m_table, &CompareTable::setOnlyDifferences);
}

void CompareView::buildHeaders() {
    auto* runs = new ComparedRunsHeader;
    m_view->setHorizontalHeader(runs);
    m_names = new ComparedNamesHeader;
    m_view->setVerticalHeader(m_names);
    m_names->show();
    m_view->setCornerButtonEnabled(false);
    if (auto* corner = m_view->findChild<QAbstractButton*>()) corner->installEventFilter(new Unpainted(corner));
    m_table.setFolded(Settings::comparedFolded.get());
    const auto toggle = [this](int row) {
        if (!m_table.headerData(row, Qt::Vertical, CompareTable::IsPartRole).toBool()) return;
        const int at = m_view->currentIndex().row();
        m_table.togglePart(row);
        Settings::comparedFolded.set(m_table.folded());
        if (at >= 0) m_view->setCurrentIndex(m_table.index(std::min(at, m_table.rowCount() - 1), 0));
    };
    connect(m_names, &QHeaderView::sectionClicked, this, toggle);
    connect(m_view, &QAbstractItemView::clicked, this, [toggle](const QModelIndex& cell) { toggle(cell.row()); });
    connect(m_view, &QAbstractItemView::activated, this, [toggle](const QModelIndex& cell) { toggle(cell.row()); });
    connect(runs, &QHeaderView::sectionClicked, this, [this](int run) {
        m_baseline->setCurrentIndex(run);
        m_table.setBaseline(m_baseline->currentData().toString());
    });
    connect(&m_table, &QAbstractItemModel::modelReset, this, &CompareView::fitColumns);
    // The view has its width only after it was shown, or lost some to its other bar.
    connect(m_view->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &CompareView::fitColumns);
}

QLayout* CompareView::buildToolbar() {
    auto* bar = row(nullptr, 8);
    setMargins(bar, 12, 8, 12, 8);
    m_onlyDifferences = new Switch(tr("Differences only"));
    m_onlyDifferences->setChecked(true);
    m_baseline = new QComboBox;
    m_baseline->setAccessibleName(tr("Baseline"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_baseline->setMaximumWidth(Theme::current().px(240));
    m_byGroup = new Switch(tr("Groups"));
    m_byGroup->setChecked(true);
    m_byGroup->setToolTip(tr("A column for each group of the table: mean ± standard deviation of its selected runs"));
    connect(m_byGroup, &QAbstractButton::toggled, this, &CompareView::refresh);
    m_note = new Label(QString(), TextRole::SmallSecondary);
    bar->addWidget(m_onlyDifferences);
    bar->addWidget(m_byGroup);
    bar->addWidget(new Label(tr("Baseline"), TextRole::Secondary));
    bar->addWidget(m_baseline);
    bar->addWidget(m_note, 1);
    return bar;
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CompareView::compareNewest() {
    QStringList newest;
    for (const RunItemPtr& run : m_bench.feed.runs())
        if (newest.size() < kNewest) newest << run->id;
    m_bench.selection.setSelected(newest);
}

void CompareView::refresh() {
    std::vector<RunItemPtr> runs;
    for (const QString& id : m_bench.selection.selected())
        if (const RunItemPtr run = m_bench.feed.run(id)) runs.push_back(run);
    m_stack->setCurrentIndex(runs.size() < 2 ? 0 : 1);
    m_empty->button()->setVisible(m_bench.feed.runs().size() > 1);
    if (runs.size() < 2) return;
    showColumns(runs);
    showBaselines();
    fitColumns();
    const QString differ = tr("%n values differ", nullptr, m_table.differences());
    std::size_t shown = 0;
    for (const ComparedColumn& column : m_table.columns()) shown += column.runs.size();
    m_note->setText(shown < runs.size() ? tr("%1, the first %2 of %3 runs").arg(differ).arg(shown).arg(runs.size())
                                        : differ);
}

// One group alone is compared run by run.
void CompareView::showColumns(const std::vector<RunItemPtr>& runs) {
    const std::vector<RunItemPtr> first(runs.begin(), runs.begin() + std::min(kMostGrouped, std::ssize(runs)));
    std::vector<ComparedColumn> byGroup = columnsOf(first, m_bench.groups);
    const bool canGroup = byGroup.size() > 1 && std::any_of(byGroup.begin(), byGroup.end(),
                                                            [](const auto& column) { return column.runs.size() > 1; });
    m_byGroup->setVisible(canGroup);
    m_table.setColumns(canGroup && m_byGroup->isChecked() ? std::move(byGroup) : columnsOf(first));
}

// Every column has the width of its name and values if all of them fit. Else names are elided, and those in sight share
// what is left over: the next one begins beyond the edge, as a number that is cut reads as another one.
void CompareView::fitColumns() {
    const Theme& theme = Theme::current();
    m_names->fitNames();
    const QAbstractItemView& view = *m_view;
    std::vector<int> wanted;
    int all = 0;
    for (int run = 0; run < m_table.columnCount(); ++run) {
        const int width = std::max(view.sizeHintForColumn(run), m_view->horizontalHeader()->sectionSizeHint(run));
        wanted.push_back(std::max(width, theme.px(kRunWidth)));
        all += wanted.back();
    }
    const int room = m_view->viewport()->width();
    if (all > room) {
        int shown = 0, taken = 0;
        for (int& each : wanted) each = std::min(each, theme.px(kWidestRun));
        for (; shown < std::ssize(wanted) && taken + wanted[static_cast<std::size_t>(shown)] <= room; ++shown)
            taken += wanted[static_cast<std::size_t>(shown)];
        if (shown < std::ssize(wanted))
            for (int i = 0; i < shown; ++i)
                wanted[static_cast<std::size_t>(i)] += (room - taken) / shown + (i < (room - taken) % shown ? 1 : 0);
    }
    for (int run = 0; run < m_table.columnCount(); ++run)
        m_view->setColumnWidth(run, wanted[static_cast<std::size_t>(run)]);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

void CompareView::showBaselines() {
    const QSignalBlocker quiet(m_baseline);
    m_baseline->clear();
    for (const ComparedColumn& column : m_table.columns()) m_baseline->addItem(column.name, column.id);
    m_baseline->setCurrentIndex(m_baseline->findData(m_table.baseline()));
}

} // namespace trainyard::ui
