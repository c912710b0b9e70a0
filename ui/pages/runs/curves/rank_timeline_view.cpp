// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/rank_timeline_view.h"

#include "engine/run/record/series/system_series.h"
#include "ui/models/text/format.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/lane_layer.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QStackedLayout>
#include <QTableView>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kRefreshMs = 300;    // points come once a second, of all ranks together
constexpr double kNowSeconds = 10; // the recent past of a training run
constexpr int kRankWidth = 80, kColumnWidth = 72, kTitleRoom = 26;

// The legend of the lanes.
class PartKey : public QWidget {
public:
    PartKey() { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }
    QSize sizeHint() const override {
        const Theme& theme = Theme::current();
        int width = 0;
        for (const TimePart part : kParts)
            width += theme.px(12 + 16) + QFontMetrics(theme.small).horizontalAdvance(timePartName(part));
        return {width, theme.px(20)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.setFont(theme.small);
        int x = 0;
        for (const TimePart part : kParts) {
            painter.fillRect(QRect(x, theme.px(6), theme.px(8), theme.px(8)), timePartColor(theme, part));
            painter.setPen(theme.text2);
            x += theme.px(12);
            const QString name = timePartName(part);
            const int width = painter.fontMetrics().horizontalAdvance(name);
            painter.drawText(QRect(x, 0, width, height()), Qt::AlignVCenter, name);
            x += width + theme.px(16);
        }
    }

private:
    static constexpr std::array<TimePart, kTimeParts> kParts{TimePart::Compute, TimePart::Communication, TimePart::Data,
                                                             TimePart::Wait};
};

} // namespace

RankTimelineView::RankTimelineView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    m_timer.setSingleShot(true);
    m_timer.setInterval(kRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &RankTimelineView::refresh);
    listen();
}

void RankTimelineView::build() {
    m_stack = new QStackedLayout(this);
    m_empty = new EmptyPage;
    auto* content = new Surface(SurfaceColor::Card);
    auto* layout = column(content);
    layout->addWidget(buildHeader());
    m_plot = new Plot;
    m_plot->setTitle(tr("Timeline of the ranks"));
    layout->addWidget(m_plot, 3);
    m_view = plainTable(&m_table, tr("Ranks"));
    m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_view->horizontalHeader()->setStretchLastSection(true);
    const Theme& theme = Theme::current();
    for (int column = 0; column < RankTable::NowColumn; ++column) {
        const QString title = m_table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int titled = QFontMetrics(theme.small).horizontalAdvance(title) + theme.px(kTitleRoom);
        m_view->setColumnWidth(column, std::max(theme.px(column == 0 ? kRankWidth : kColumnWidth), titled));
    }
    // "rank 0, holds up" is seen in full; the column never shrinks, so that nothing jumps.
    const auto fit = [this] {
        const int wanted = static_cast<QAbstractItemView*>(m_view)->sizeHintForColumn(RankTable::RankColumn);
        if (wanted > m_view->columnWidth(RankTable::RankColumn)) m_view->setColumnWidth(RankTable::RankColumn, wanted);
    };
    connect(&m_table, &QAbstractItemModel::modelReset, this, fit);
    connect(&m_table, &QAbstractItemModel::dataChanged, this, fit);
    layout->addWidget(m_view, 2);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(content);
    setTabOrder(m_plot, m_view);
}

QWidget* RankTimelineView::buildHeader() {
    auto* header = new QWidget;
    auto* lines = column(header, 4);
    setMargins(lines, 16, 12, 16, 4);
    m_verdict = new Label(QString(), TextRole::Heading);
    m_verdict->setWordWrap(true);
    m_rangeNote = new Label(QString(), TextRole::SmallSecondary);
    m_rangeNote->setToolTip(tr("Zoom the lanes to see the means of that period"));
    auto* first = row(nullptr, 8);
    first->addWidget(m_verdict, 1);
    auto* exported = iconButton(QStringLiteral("export"), tr("Export the timeline"));
    first->addWidget(exported, 0, Qt::AlignTop);
    auto* second = row(nullptr, 16);
    second->addWidget(new PartKey);
    second->addWidget(m_rangeNote, 1);
    lines->addLayout(first);
    lines->addLayout(second);
    connect(exported, &QAbstractButton::clicked, this, [this, exported] {
        showChartExport(m_bench, m_plot, exported->mapToGlobal(QPoint(0, exported->height())));
    });
    return header;
}

void RankTimelineView::listen() {
    const auto refreshed = [this] {
        if (isVisible()) refresh();
    };
    connect(&m_bench.selection, &RunSelection::currentChanged, this, refreshed);
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, refreshed);
    connect(&m_bench.feed.series(), &SeriesStore::changed, this, [this](const QString& run, const QString& series) {
        if (isVisible() && run == m_run && !m_timer.isActive() && run::isSystemSeries(series.toStdString()))
            m_timer.start();
    });
    connect(&m_bench.feed, &WorkspaceFeed::stateChanged, this, [this](const QString& run) {
        if (isVisible() && run == m_run) showRange();
    });
    connect(m_plot, &Plot::rangeChanged, this, &RankTimelineView::showRange);
}

void RankTimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void RankTimelineView::refresh() {
    const QString current = m_bench.selection.current();
    const RunItemPtr run = current.isEmpty() ? RunItemPtr{} : m_bench.feed.run(current);
    const bool other = current != m_run;
    m_run = current;
    m_lanes = run ? rankLanes(m_bench.feed.series(), current) : std::vector<RankLane>{};
    if (m_lanes.empty()) return showEmpty(run);
    PlotAxis ranks{.unit = AxisUnit::Names, .names = LaneLayer::names(m_lanes)};
    m_plot->setAxes({.unit = AxisUnit::Duration, .title = tr("Training time")}, ranks);
    m_plot->setLayers({std::make_shared<LaneLayer>(m_lanes)});
    if (other) m_plot->fit();
    m_stack->setCurrentIndex(1);
    showRange();
}

// The last seconds while the run trains; otherwise, or when zoomed, the visible part of the lanes.
std::pair<double, double> RankTimelineView::range() const {
    const double end = endOf(m_lanes);
    const RunItemPtr run = m_bench.feed.run(m_run);
    if (m_plot->isZoomed()) {
        const AxisRange& shown = m_plot->scene().x.range;
        return {std::clamp(shown.low, 0.0, end), std::clamp(shown.high, 0.0, end)};
    }
    const bool live = run && wire::isActive(m_bench.feed.status(*run));
    return {live ? std::max(0.0, end - kNowSeconds) : 0.0, end};
}

void RankTimelineView::showRange() {
    if (m_lanes.empty()) return;
    const auto [from, to] = range();
    const auto* state = m_bench.feed.state(m_run);
    const auto& workers = state ? state->workers : m_bench.feed.workers(m_run);
    m_table.setLines(rankLines(m_bench.feed.series(), m_run, m_lanes, workers, from, to));
    const QString verdict = rankVerdict(m_table.lines(), m_lanes);
    m_verdict->setText(verdict);
    m_rangeNote->setText(tr("Means from %1 to %2").arg(durationText(from), durationText(to)));
    m_view->setAccessibleDescription(verdict);
}

void RankTimelineView::showEmpty(const RunItemPtr& run) {
    const bool active = run && wire::isActive(m_bench.feed.status(*run));
    if (!run) m_empty->setState(new EmptyState(tr("No run selected"), tr("Select a run in the table.")));
    else if (active)
        m_empty->setState(new EmptyState(tr("Nothing measured yet"), tr("Timings appear once the ranks train.")));
    else
        m_empty->setState(new EmptyState(
            tr("No timeline"),
            tr("This run has no timings of its ranks: it was too short, imported, or trained by an older version.")));
    m_stack->setCurrentIndex(0);
}

} // namespace trainyard::ui
