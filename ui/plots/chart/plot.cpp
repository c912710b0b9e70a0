// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/plot.h"

#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/theme/theme_controller.h"

#include <QKeyEvent>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kXRoom = 0.08; // share of the axis, at each end
constexpr double kYRoom = 0.12;
constexpr double kLeastTime = 10; // seconds of an axis of times
constexpr int kSpokenTicks = 5;

bool isRange(double low, double high) { return std::isfinite(low) && std::isfinite(high) && high > low; }

AxisRange fitted(double low, double high, bool log, double room) {
    if (low > high) return log ? AxisRange{1, 10, true} : AxisRange{0, 1, false}; // nothing to show
    return padded({low, high, log}, room);
}

// An axis without ticks is laid out by its layer.
double roomOf(const PlotAxis& axis, double usual) { return axis.unit == AxisUnit::None ? 0 : usual; }

} // namespace

Plot::Plot(QWidget* parent) : ChartWidget(parent), m_canvas(new PlotCanvas(this)) {
    setMinimumSize(200, 140);
    setFocusPolicy(Qt::TabFocus);
    connect(m_canvas, &PlotCanvas::xRangeRequested, this, [this](double low, double high) {
        if (isRange(low, high) && !m_fixed) m_xZoom = AxisRange{low, high, m_logX};
        arrange();
    });
    connect(m_canvas, &PlotCanvas::yRangeRequested, this, [this](double low, double high) {
        if (isRange(low, high) && !m_fixed) m_yZoom = AxisRange{low, high, m_logY};
        arrange();
    });
    connect(m_canvas, &PlotCanvas::fitRequested, this, [this] {
        fit();
        Q_EMIT doubleClicked();
    });
    const auto valueAt = [this](QPointF pixel) {
        const PlotFrame frame = m_canvas->frame();
        return QPointF(frame.x.toValue(pixel.x()), frame.y.toValue(pixel.y()));
    };
    connect(m_canvas, &PlotCanvas::dragged, this, [this, valueAt](QPointF from, QPointF to, bool add, bool done) {
        Q_EMIT dragged(valueAt(from), valueAt(to), add, done);
    });
    connect(m_canvas, &PlotCanvas::clicked, this, [this, valueAt](QPointF pixel) { Q_EMIT clicked(valueAt(pixel)); });
    connect(m_canvas, &PlotCanvas::hovered, this, [this](double, QPointF pixel) { pointAt(pixel); });
    connect(m_canvas, &PlotCanvas::left, this, &Plot::pointAway);
    connect(m_canvas, &PlotCanvas::clicked, this, [this](QPointF pixel) {
        if (const auto hit = hitAt(pixel)) Q_EMIT chosen(hit->run);
    });
    connect(&ThemeController::instance(), &ThemeController::changed, m_canvas, &PlotCanvas::applyTheme);
    arrange();
}

Plot::~Plot() { delete m_tooltip; }

void Plot::setTitles(const QString& x, const QString& y) { setAxes({.title = x}, {.title = y}); }

void Plot::setAxes(const PlotAxis& x, const PlotAxis& y) {
    const auto same = [](const PlotAxis& a, const PlotAxis& b) {
        return a.title == b.title && a.unit == b.unit && a.names == b.names && a.marks == b.marks;
    };
    if (same(x, m_scene.x) && same(y, m_scene.y)) return;
    m_scene.x = x;
    m_scene.y = y;
    setAccessibleName(title());
    fit();
}

void Plot::showTitles() { m_canvas->showTitles(); }

void Plot::reportDrags() {
    m_fixed = true;
    m_canvas->setDragUse(DragUse::Report);
}

void Plot::setCurrent(const QString& run) {
    if (run == m_scene.current) return;
    m_scene.current = run;
    m_canvas->setScene(m_scene);
}

void Plot::setLayers(PlotLayers layers) {
    m_scene.layers = std::move(layers);
    QStringList spoken;
    for (const auto& layer : m_scene.layers) spoken << layer->description();
    spoken.removeAll(QString());
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    arrange();
}

void Plot::setLog(bool x, bool y) {
    if (x == m_logX && y == m_logY) return;
    m_logX = x;
    m_logY = y;
    fit();
}

void Plot::leaveWheelToPage() { m_canvas->leaveWheelToPage(); }

void Plot::fit() {
    m_xZoom.reset();
    m_yZoom.reset();
    arrange();
}

void Plot::setHovered(const QString& run) {
    if (run == m_scene.hovered) return;
    m_scene.hovered = run;
    m_canvas->setScene(m_scene);
}

// Updates the ranges of the axes and the canvas.
void Plot::arrange() {
    PlotBounds bounds;
    for (const auto& layer : m_scene.layers) bounds.add(layer->bounds(m_logX, m_logY));
    if (m_scene.x.unit == AxisUnit::WallTime && !bounds.isEmpty())
        bounds.xLow = std::min(bounds.xLow, bounds.xHigh - kLeastTime);
    m_scene.x.range = m_xZoom.value_or(fitted(bounds.xLow, bounds.xHigh, m_logX, roomOf(m_scene.x, kXRoom)));
    m_scene.y.range = m_yZoom.value_or(fitted(bounds.yLow, bounds.yHigh, m_logY, roomOf(m_scene.y, kYRoom)));
    m_canvas->setScene(m_scene);
    Q_EMIT rangeChanged();
}

std::optional<PlotHit> Plot::hitAt(const QPointF& pixel) const {
    const PlotFrame frame = m_canvas->frame();
    std::optional<PlotHit> nearest;
    for (const auto& layer : m_scene.layers) {
        const auto hit = layer->hit(pixel, frame);
        if (hit && (!nearest || hit->distance < nearest->distance)) nearest = hit;
    }
    return nearest;
}

void Plot::pointAt(const QPointF& pixel) {
    const auto hit = hitAt(pixel);
    if (!hit) return pointAway();
    if (hit->run != m_scene.hovered) {
        setHovered(hit->run);
        Q_EMIT hovered(hit->run);
    }
    if (m_tooltip == nullptr) m_tooltip = new ChartTooltip(window());
    m_tooltip->showAt(QPointF(m_canvas->mapTo(window(), QPoint())) + pixel, hit->tooltip);
}

void Plot::pointAway() {
    if (m_tooltip != nullptr) m_tooltip->hide();
    if (m_scene.hovered.isEmpty()) return;
    setHovered(QString());
    Q_EMIT hovered(QString());
}

QString Plot::title() const {
    if (!m_title.isEmpty()) return m_title;
    return QStringLiteral("%1 × %2").arg(m_scene.x.title, m_scene.y.title);
}

QString Plot::spokenSummary() const {
    const auto ends = [](const PlotAxis& axis) {
        const auto ticks = ticksOf(axis, kSpokenTicks);
        return ticks.size() < 2 ? axis.title
                                : tr("%1 from %2 to %3").arg(axis.title, ticks.front().label, ticks.back().label);
    };
    return tr("%1: %2; %3").arg(title(), ends(m_scene.x), ends(m_scene.y));
}

void Plot::exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) {
    ChartSnapshot snapshot{m_scene, title(), {}, Theme::current()};
    snapshot.scene.hovered.clear();
    snapshot.scene.current.clear();
    writeChartAsync(snapshot, path, format, size, std::move(done));
}

void Plot::exportCsv(const QString& path, ExportDone done) { writeCsvAsync(m_scene.layers, path, std::move(done)); }

QSize Plot::sizeHint() const { return {Theme::current().px(360), Theme::current().px(260)}; }

void Plot::keyPressEvent(QKeyEvent* event) {
    if (!m_canvas->takeKey(*event)) ChartWidget::keyPressEvent(event);
}

void Plot::resizeEvent(QResizeEvent*) { m_canvas->setGeometry(rect()); }

void Plot::hideEvent(QHideEvent*) { pointAway(); }

} // namespace trainyard::ui
