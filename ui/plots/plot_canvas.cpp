// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_canvas.h"

#include "ui/plots/axis_ticks.h"
#include "ui/plots/curve_painter.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QWheelEvent>

// QCustomPlot's header is written with Qt's keywords, which this project switches off.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach

namespace trainyard::ui {

namespace {

constexpr double kClickReach = 4; // pixels a press may move and still be a click
constexpr double kBoxHeight = 20; // a flatter drag zooms in x only

// Round ticks of the axis' kind in place of QCustomPlot's own.
class YardTicker final : public QCPAxisTicker {
public:
    enum class Kind { Linear, Log, Time };
    Kind kind = Kind::Linear;
    int count = 5;

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        const auto made = kind == Kind::Log    ? logTicks(range.lower, range.upper, count)
                          : kind == Kind::Time ? timeTicks(range.lower, range.upper, count)
                                               : linearTicks(range.lower, range.upper, count);
        ticks.clear();
        if (subTicks != nullptr) subTicks->clear();
        if (labels != nullptr) labels->clear();
        for (const Tick& tick : made) {
            ticks << tick.position;
            if (labels != nullptr) *labels << tick.label;
        }
    }
};

class CurveLayerable final : public QCPLayerable {
public:
    CurveLayerable(QCustomPlot* plot, const ChartView& view)
        : QCPLayerable(plot, QStringLiteral("main")), m_view(view) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override {
        paintCurves(*painter, m_view, mParentPlot->axisRect()->rect(), Theme::current());
    }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect().adjusted(-6, -6, 6, 6); }

private:
    const ChartView& m_view;
};

} // namespace

class PlotCanvas::Private {
public:
    QCustomPlot* plot = nullptr;
    QSharedPointer<YardTicker> xTicker{new YardTicker};
    QSharedPointer<YardTicker> yTicker{new YardTicker};
    ChartView view;
    double crosshair = std::nan("");
    std::vector<CrosshairDot> dots;
    bool pressed = false, panning = false;
    QPointF pressAt, dragAt;

    QRectF rect() const { return plot->axisRect()->rect(); }
    AxisMap xMap() const { return {view.x, rect().left(), rect().right()}; }
    AxisMap yMap() const { return {view.y, rect().bottom(), rect().top()}; }
    bool dragging() const { return pressed && (dragAt - pressAt).manhattanLength() > kClickReach; }
    QRectF dragBox() const {
        QRectF box = QRectF(pressAt, dragAt).normalized().intersected(rect());
        if (std::abs(dragAt.y() - pressAt.y()) < kBoxHeight) {
            box.setTop(rect().top());
            box.setBottom(rect().bottom());
        }
        return box;
    }
    void press(const QMouseEvent& event);
    void move(PlotCanvas& canvas, const QPointF& at);
    void release(PlotCanvas& canvas);
    void wheel(PlotCanvas& canvas, const QWheelEvent& event);
    void widenForLabels() const;
    void paintOverlay(QPainter& painter) const;
    void replotOverlay() const { plot->layer(QStringLiteral("overlay"))->replot(); }
};

namespace {

// Crosshair, dots and the zoom box, on QCustomPlot's buffered overlay layer.
class OverlayLayerable final : public QCPLayerable {
public:
    OverlayLayerable(QCustomPlot* plot, std::function<void(QPainter&)> paint)
        : QCPLayerable(plot, QStringLiteral("overlay")), m_paint(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override { m_paint(*painter); }
    QRect clipRect() const override { return mParentPlot->viewport(); }

private:
    std::function<void(QPainter&)> m_paint;
};

void setUpAxis(QCPAxis* axis, const QSharedPointer<YardTicker>& ticker) {
    axis->setTicker(ticker);
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setZeroLinePen(Qt::NoPen);
}

} // namespace

void PlotCanvas::Private::paintOverlay(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF area = rect();
    if (dragging() && !panning) {
        QColor fill = theme.accent;
        fill.setAlphaF(0.08F);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(fill);
        painter.drawRect(dragBox().adjusted(0, 0, -1, -1).toRect());
        return;
    }
    const double x = xMap().toPixel(crosshair);
    if (std::isnan(crosshair) || x < area.left() - 0.5 || x > area.right() + 0.5) return;
    QPen dash(theme.text3, 1);
    dash.setDashPattern({3, 3});
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(dash);
    painter.drawLine(QLineF(std::floor(x), area.top(), std::floor(x), area.bottom()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setClipRect(area.adjusted(-4, -4, 4, 4));
    painter.setBrush(theme.card);
    for (const CrosshairDot& dot : dots) {
        const QPointF at(xMap().toPixel(dot.x), yMap().toPixel(dot.y));
        const bool finite = std::isfinite(at.x()) && std::isfinite(at.y()); // contains() says yes to NaN
        if (finite && area.adjusted(-1, -1, 1, 1).contains(at)) {
            painter.setPen(QPen(dot.color, 2));
            painter.drawEllipse(at, 3.5, 3.5);
        }
    }
}

PlotCanvas::PlotCanvas(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>()) {
    d->plot = new QCustomPlot(this);
    d->plot->setNoAntialiasingOnDrag(true);
    d->plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    d->plot->setInteractions(QCP::iNone);
    d->plot->axisRect()->setAutoMargins(QCP::msNone);
    d->plot->legend->setVisible(false);
    setUpAxis(d->plot->xAxis, d->xTicker);
    setUpAxis(d->plot->yAxis, d->yTicker);
    d->plot->yAxis->setBasePen(Qt::NoPen);
    new CurveLayerable(d->plot, d->view);
    new OverlayLayerable(d->plot, [this](QPainter& painter) { d->paintOverlay(painter); });
    d->plot->setMouseTracking(true);
    d->plot->installEventFilter(this);
    d->plot->setFocusPolicy(Qt::NoFocus);
    applyTheme();
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::applyTheme() {
    const Theme& theme = Theme::current();
    d->plot->setBackground(QBrush(theme.card));
    d->plot->axisRect()->setMargins(QMargins(theme.px(42), theme.px(6), theme.px(12), theme.px(24)));
    for (QCPAxis* axis : {d->plot->xAxis, d->plot->yAxis}) {
        axis->setTickLabelFont(theme.small);
        axis->setTickLabelColor(theme.text3);
        axis->grid()->setPen(QPen(theme.grid, 1));
    }
    d->plot->xAxis->setBasePen(QPen(theme.axis, 1));
    d->plot->xAxis->setTickLabelPadding(theme.px(4));
    d->plot->yAxis->setTickLabelPadding(theme.px(8));
    d->plot->replot(QCustomPlot::rpQueuedRefresh);
}

void PlotCanvas::setView(ChartView view) {
    d->view = std::move(view);
    const ChartView& now = d->view;
    const auto setUp = [](QCPAxis* axis, const AxisRange& range, YardTicker& ticker, bool time) {
        axis->setScaleType(range.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis->setRange(range.low, range.high);
        ticker.kind = range.log ? YardTicker::Kind::Log : time ? YardTicker::Kind::Time : YardTicker::Kind::Linear;
    };
    setUp(d->plot->xAxis, now.x, *d->xTicker, now.xMode == XMode::RelativeTime);
    setUp(d->plot->yAxis, now.y, *d->yTicker, false);
    const QRectF area = d->rect();
    d->xTicker->count = std::clamp(static_cast<int>(area.width() / 85), 2, 10);
    d->yTicker->count = std::clamp(static_cast<int>(area.height() / 42), 2, 7);
    d->widenForLabels();
    d->plot->replot(QCustomPlot::rpQueuedRefresh);
}

const ChartView& PlotCanvas::view() const { return d->view; }

QRectF PlotCanvas::plotRect() const { return d->rect(); }

void PlotCanvas::setCrosshair(double x, const std::vector<CrosshairDot>& dots) {
    d->crosshair = x;
    d->dots = dots;
    d->replotOverlay();
}

void PlotCanvas::resizeEvent(QResizeEvent*) { d->plot->setGeometry(rect()); }

// Cards line up at a margin of 42 px unless a label needs more.
void PlotCanvas::Private::widenForLabels() const {
    const Theme& theme = Theme::current();
    QVector<double> ticks;
    QVector<QString> labels;
    yTicker->generate(plot->yAxis->range(), QLocale(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
    int widest = 0;
    for (const QString& label : std::as_const(labels))
        widest = std::max(widest, QFontMetrics(theme.small).horizontalAdvance(label));
    QMargins margins = plot->axisRect()->margins();
    margins.setLeft(std::max(theme.px(42), widest + theme.px(12)));
    plot->axisRect()->setMargins(margins);
}

void PlotCanvas::Private::press(const QMouseEvent& event) {
    const bool pan = event.button() == Qt::MiddleButton;
    if (event.button() == Qt::LeftButton || pan) {
        pressed = true;
        panning = pan;
        pressAt = dragAt = event.position();
    }
}

void PlotCanvas::Private::move(PlotCanvas& canvas, const QPointF& at) {
    const QPointF previous = dragAt;
    dragAt = at;
    if (pressed && panning) {
        const double shift = previous.x() - at.x();
        const AxisMap map = xMap();
        Q_EMIT canvas.xRangeRequested(map.toValue(rect().left() + shift), map.toValue(rect().right() + shift));
    } else if (pressed) {
        replotOverlay();
    } else if (rect().adjusted(-1, 0, 1, 0).contains(at)) {
        Q_EMIT canvas.hovered(xMap().toValue(at.x()), yMap().toValue(at.y()), at);
    } else {
        Q_EMIT canvas.left();
    }
}

void PlotCanvas::Private::release(PlotCanvas& canvas) {
    if (!pressed) return;
    const bool drag = dragging();
    const bool pan = panning;
    const QRectF box = dragBox();
    const bool boxed = std::abs(dragAt.y() - pressAt.y()) >= kBoxHeight;
    pressed = panning = false;
    replotOverlay();
    if (drag && !pan && box.width() > kClickReach) {
        const AxisMap x = xMap();
        const AxisMap y = yMap();
        if (boxed) Q_EMIT canvas.yRangeRequested(y.toValue(box.bottom()), y.toValue(box.top()));
        Q_EMIT canvas.xRangeRequested(x.toValue(box.left()), x.toValue(box.right()));
    } else if (!drag && !pan) {
        Q_EMIT canvas.clicked(dragAt);
    }
}

void PlotCanvas::Private::wheel(PlotCanvas& canvas, const QWheelEvent& event) {
    // With Shift held some platforms turn the wheel sideways.
    const QPoint delta = event.angleDelta();
    const int turn = delta.y() != 0 ? delta.y() : delta.x();
    const QRectF area = rect();
    if (turn == 0 || !area.adjusted(-60, 0, 12, 30).contains(event.position())) return;
    const double factor = std::pow(0.85, turn / 120.0);
    if (event.modifiers() & Qt::ShiftModifier) {
        const AxisMap map = yMap();
        const double pivot = std::clamp(event.position().y(), area.top(), area.bottom());
        Q_EMIT canvas.yRangeRequested(map.toValue(pivot + (area.bottom() - pivot) * factor),
                                      map.toValue(pivot + (area.top() - pivot) * factor));
    } else {
        const AxisMap map = xMap();
        const double pivot = std::clamp(event.position().x(), area.left(), area.right());
        Q_EMIT canvas.xRangeRequested(map.toValue(pivot + (area.left() - pivot) * factor),
                                      map.toValue(pivot + (area.right() - pivot) * factor));
    }
}

bool PlotCanvas::eventFilter(QObject* watched, QEvent* event) {
    if (watched != d->plot) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: d->press(*static_cast<QMouseEvent*>(event)); return true;
    case QEvent::MouseMove: d->move(*this, static_cast<QMouseEvent*>(event)->position()); return true;
    case QEvent::MouseButtonRelease: d->release(*this); return true;
    case QEvent::MouseButtonDblClick:
        d->pressed = false;
        Q_EMIT fitRequested();
        return true;
    case QEvent::Wheel: d->wheel(*this, *static_cast<QWheelEvent*>(event)); return true;
    case QEvent::Leave: Q_EMIT left(); return false;
    default: return QWidget::eventFilter(watched, event);
    }
}

} // namespace trainyard::ui
