// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/confusion_chart.h"

#include "ui/models/text/format.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/theme/theme_controller.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kLeastShown = 4; // classes at the closest zoom
constexpr double kZoomStep = 1.3;

QString shareInPercent(double share) { return percentText(share, 1); }

} // namespace

ConfusionChart::ConfusionChart(QWidget* parent) : ChartWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Confusion table"));
    connect(&ThemeController::instance(), &ThemeController::changed, this, [this] { update(); });
}

ConfusionChart::~ConfusionChart() { delete m_tooltip; }

void ConfusionChart::setTable(ConfusionTable table) {
    if (table == m_table) return;
    const bool same = table.names() == m_table.names() && table.size() == m_table.size();
    m_table = std::move(table);
    if (!same) {
        m_view = {.shares = m_view.shares};
        hideTip();
    }
    setAccessibleDescription(m_view.current ? describe(m_table, *m_view.current)
                                            : tr("%n classes", nullptr, m_table.size()));
    update();
}

void ConfusionChart::setShares(bool shares) {
    m_view.shares = shares;
    update();
}

void ConfusionChart::setCurrent(const std::optional<ConfusionCell>& cell) {
    m_view.current = cell;
    if (cell) bringIntoView(*cell);
    setAccessibleDescription(cell ? describe(m_table, *cell) : QString());
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
    update();
}

QRect ConfusionChart::cellRect(const ConfusionCell& cell) const {
    const ConfusionLayout layout = layOut();
    return layout.of(m_view, cell).intersected(layout.cells).toAlignedRect();
}

QString ConfusionChart::describe(const ConfusionTable& table, const ConfusionCell& cell) {
    const QString count = countText(static_cast<double>(table.count(cell.truth, cell.predicted)));
    const QString all = countText(static_cast<double>(table.ofTruth(cell.truth)));
    const QString share = shareInPercent(table.share(cell.truth, cell.predicted));
    if (cell.truth == cell.predicted)
        return tr("%1, predicted correctly: %2 of %3 (%4)").arg(table.name(cell.truth), count, all, share);
    return tr("%1, predicted as %2: %3 of %4 (%5)")
        .arg(table.name(cell.truth), table.name(cell.predicted), count, all, share);
}

QRectF ConfusionChart::area() const {
    const Theme& theme = Theme::current();
    return QRectF(rect()).adjusted(theme.px(12), theme.px(4), -theme.px(12), -theme.px(6));
}

QSize ConfusionChart::sizeHint() const { return {Theme::current().px(360), Theme::current().px(230)}; }
QSize ConfusionChart::minimumSizeHint() const { return {Theme::current().px(200), Theme::current().px(180)}; }

void ConfusionChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintConfusion(painter, area(), m_table, m_view, Theme::current());
}

void ConfusionChart::exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) {
    ChartSnapshot snapshot{{}, title(), tr("rows: true class; columns: predicted class"), Theme::current()};
    ConfusionView all = m_view;
    all.current.reset();
    snapshot.paint = [table = m_table, all, theme = snapshot.theme](QPainter& painter, const QRectF& area) {
        paintConfusion(painter, area, table, all, theme);
    };
    writeChartAsync(snapshot, path, format, size, std::move(done));
}

void ConfusionChart::exportCsv(const QString& path, ExportDone done) {
    writeTextAsync([table = m_table] { return table.csv(); }, path, std::move(done));
}

void ConfusionChart::keyPressEvent(QKeyEvent* event) {
    if (m_table.size() == 0) return ChartWidget::keyPressEvent(event);
    const int last = m_table.size() - 1;
    ConfusionCell cell = m_view.current.value_or(ConfusionCell{m_view.firstTruth, m_view.firstPredicted});
    const bool none = !m_view.current;
    switch (event->key()) {
    case Qt::Key_Left: cell.predicted -= none ? 0 : 1; break;
    case Qt::Key_Right: cell.predicted += none ? 0 : 1; break;
    case Qt::Key_Up: cell.truth -= none ? 0 : 1; break;
    case Qt::Key_Down: cell.truth += none ? 0 : 1; break;
    case Qt::Key_PageUp: cell.truth -= 10; break;
    case Qt::Key_PageDown: cell.truth += 10; break;
    case Qt::Key_Home: cell.predicted = 0; break;
    case Qt::Key_End: cell.predicted = last; break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomTo(static_cast<int>(std::floor(layOut().shown / kZoomStep)), cell);
    case Qt::Key_Minus: return zoomTo(static_cast<int>(std::ceil(layOut().shown * kZoomStep)), cell);
    case Qt::Key_0: return zoomTo(m_table.size(), cell);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!none) Q_EMIT chosen(cell);
        return;
    case Qt::Key_Escape:
        if (none) return ChartWidget::keyPressEvent(event);
        setCurrent(std::nullopt);
        Q_EMIT released();
        return;
    default: return ChartWidget::keyPressEvent(event);
    }
    moveTo({std::clamp(cell.truth, 0, last), std::clamp(cell.predicted, 0, last)});
}

void ConfusionChart::moveTo(ConfusionCell cell) {
    setCurrent(cell);
    Q_EMIT moved(cell);
}

void ConfusionChart::bringIntoView(const ConfusionCell& cell) {
    const int shown = layOut().shown;
    const auto fitted = [&](int first, int number) {
        return std::clamp(first, std::max(0, number - shown + 1), number);
    };
    m_view.firstTruth = fitted(m_view.firstTruth, cell.truth);
    m_view.firstPredicted = fitted(m_view.firstPredicted, cell.predicted);
}

void ConfusionChart::zoomTo(int shown, const ConfusionCell& around) {
    const int all = m_table.size(), before = layOut().shown;
    if (all == 0) return;
    shown = std::clamp(shown, std::min(kLeastShown, all), all);
    const auto first = [&](int was, int number) {
        return std::clamp(number - (number - was) * shown / before, 0, all - shown);
    };
    m_view.firstTruth = first(m_view.firstTruth, around.truth);
    m_view.firstPredicted = first(m_view.firstPredicted, around.predicted);
    m_view.shown = shown == all ? 0 : shown;
    hideTip();
    update();
}

void ConfusionChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return ChartWidget::mousePressEvent(event);
    const auto cell = layOut().at(m_view, event->position());
    if (!cell) return;
    setCurrent(*cell);
    Q_EMIT chosen(*cell);
}

void ConfusionChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_view.shown == 0) return mousePressEvent(event);
    zoomTo(m_table.size(), m_view.current.value_or(ConfusionCell{}));
}

void ConfusionChart::mouseMoveEvent(QMouseEvent* event) { showTip(event->position()); }

void ConfusionChart::wheelEvent(QWheelEvent* event) {
    const auto cell = layOut().at(m_view, event->position());
    // A table of few classes needs no zoom: the wheel scrolls the page instead.
    if (!cell || m_table.size() <= 20 || event->angleDelta().y() == 0) return event->ignore();
    const double shown = layOut().shown;
    zoomTo(static_cast<int>(event->angleDelta().y() > 0 ? std::floor(shown / kZoomStep) : std::ceil(shown * kZoomStep)),
           *cell);
}

void ConfusionChart::leaveEvent(QEvent*) { hideTip(); }
void ConfusionChart::hideEvent(QHideEvent*) { hideTip(); }

void ConfusionChart::showTip(const QPointF& place) {
    const auto cell = layOut().at(m_view, place);
    if (!cell) return hideTip();
    const Theme& theme = Theme::current();
    const std::int64_t count = m_table.count(cell->truth, cell->predicted), all = m_table.ofPredicted(cell->predicted);
    TooltipContent tip;
    tip.heading = tr("%1 → %2").arg(m_table.name(cell->truth), m_table.name(cell->predicted));
    tip.note = cell->truth == cell->predicted ? tr("correct") : tr("wrong");
    tip.rows << TooltipRow{theme.seq[3], tr("Samples"), countText(static_cast<double>(count)), {}};
    tip.rows << TooltipRow{
        theme.seq[3], tr("Share of the true class"), shareInPercent(m_table.share(cell->truth, cell->predicted)), {}};
    tip.rows << TooltipRow{theme.seq[3],
                           tr("Share of this prediction"),
                           all > 0 ? shareInPercent(static_cast<double>(count) / static_cast<double>(all)) : kNoValue,
                           {}};
    if (m_tooltip == nullptr) m_tooltip = new ChartTooltip(window());
    m_tooltip->showAt(QPointF(mapTo(window(), QPoint())) + place, tip);
}

void ConfusionChart::hideTip() {
    if (m_tooltip != nullptr) m_tooltip->hide();
}

} // namespace trainyard::ui
