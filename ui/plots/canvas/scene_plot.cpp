// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/scene_plot.h"

#include "ui/plots/canvas/axis_labels.h"

#include <algorithm>
#include <limits>

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

constexpr int kPaintedBeyond = 6; // pixels beyond the axes that layers may paint on
constexpr double kEverything = -std::numeric_limits<double>::infinity(); // the axes, too
constexpr double kMostTitle = 0.4; // share of the labels' row that a title after them may take
constexpr int kTitleGap = 12;      // pixels between the last label and a title after it
constexpr int kLowEnd = 1;         // QCustomPlot puts the low end of y on the last row of pixels, PlotFrame below it

// The pixel from which on (to the right) two scenes with the same axes differ.
double sceneChangedFrom(const PlotScene& before, const PlotScene& now, const PlotFrame& frame) {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    const bool sameMarks = before.hovered == now.hovered && before.current == now.current;
    if (!sameMarks || before.layers.size() != now.layers.size()) return -kNowhere;
    double from = kNowhere;
    for (std::size_t i = 0; i < now.layers.size(); ++i)
        from = std::min(from, now.layers[i]->changedFrom(*before.layers[i], frame));
    return from;
}

} // namespace

// The ticks of a PlotAxis in place of QCustomPlot's own, as many as there is room for.
class ScenePlot::Ticker final : public QCPAxisTicker {
public:
    // `taken`: pixels at the end of the labels' row.
    Ticker(const PlotAxis& shown, const QCPAxis& axis, std::function<double()> taken)
        : m_shown(shown), m_axis(axis), m_taken(std::move(taken)) {}

    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        ticks.clear();
        if (subTicks != nullptr) subTicks->clear();
        if (labels != nullptr) labels->clear();
        const double taken = m_taken(), end = m_axis.axisRect()->right() - taken;
        const QFontMetricsF metrics(m_axis.tickLabelFont());
        for (const Tick& tick : ticksOf(m_shown, count())) {
            ticks << tick.position;
            const auto isFree = [&] {
                const double half = metrics.horizontalAdvance(tick.label) / 2;
                return m_axis.coordToPixel(tick.position) + half < end;
            };
            if (labels != nullptr) *labels << (taken <= 0 || isFree() ? tick.label : QString());
        }
    }

private:
    int count() const {
        const QSize room = m_axis.axisRect()->size();
        if (m_shown.unit == AxisUnit::Names) // each has a line, or a column, of its own
            return std::max(1, m_axis.orientation() == Qt::Horizontal ? room.width() / 70 : room.height() / 18);
        return m_axis.orientation() == Qt::Horizontal ? std::clamp(room.width() / 85, 2, 10)
                                                      : std::clamp(room.height() / 42, 2, 7);
    }

    const PlotAxis& m_shown;
    const QCPAxis& m_axis;
    std::function<double()> m_taken;
};

// Layers and overlay in a file, on a layer of QCustomPlot's own. On the screen they lie above QCustomPlot's.
class ScenePlot::Painted final : public QCPLayerable {
public:
    Painted(QCustomPlot* plot, const QString& layer, Overlay paint)
        : QCPLayerable(plot, layer), m_paint(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override {
        if (painter->modes().testFlag(QCPPainter::pmVectorized)) m_paint(*painter);
    }

private:
    Overlay m_paint;
};

// Painted by the ScenePlot, which keeps a picture of QCustomPlot's part and of the layers above it.
class ScenePlot::Screen final : public QCustomPlot {
public:
    Screen(QWidget* parent, Overlay paint) : QCustomPlot(parent), m_area(*axisRect()), m_paint(std::move(paint)) {}

    // The area between the axes. QCustomPlot searches its whole layout for this rectangle.
    QRect area() const { return m_area.rect(); }

    // QCustomPlot's own painting, in a part of an image of the whole plot.
    void paintAxes(QImage& image, const QRect& part) {
        QCPPainter painter(&image);
        painter.setClipRect(part);
        painter.fillRect(part, mBackgroundBrush);
        for (const auto& buffer : std::as_const(mPaintBuffers)) buffer->draw(&painter);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF()))
            return QCustomPlot::paintEvent(event); // moved to another screen: it repaints, and paintEvent() runs again
        QPainter painter(this);
        m_paint(painter);
    }

private:
    const QCPAxisRect& m_area;
    Overlay m_paint;
};

ScenePlot::ScenePlot(QWidget* parent, const Theme& theme, Overlay overlay)
    : m_theme(theme), m_overlay(std::move(overlay)),
      m_plot(std::make_unique<Screen>(parent, [this](QPainter& painter) { paintScreen(painter); })) {
    setUp();
    applyTheme();
}

ScenePlot::~ScenePlot() = default;

void ScenePlot::setUp() {
    m_plot->setObjectName(QStringLiteral("plot"));
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents); // the parent handles the mouse
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setInteractions(QCP::iNone);
    m_plot->setPlottingHints(QCP::phCacheLabels);
    QObject::connect(m_plot.get(), &QCustomPlot::afterReplot, m_plot.get(), [this] { m_changed = kEverything; });
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    setUpAxes();
    const QString layers = QStringLiteral("layers");
    m_plot->addLayer(layers, m_plot->layer(QStringLiteral("axes")));
    m_plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical); // nothing is on it: no picture of its own
    new Painted(m_plot.get(), layers, [this](QPainter& painter) {
        paintLayers(painter, frame());
        if (m_overlay) m_overlay(painter);
    });
}

void ScenePlot::setUpAxes() {
    const auto setUpAxis = [](QCPAxis* axis, const PlotAxis& shown, std::function<double()> taken) {
        axis->setTicker(QSharedPointer<Ticker>::create(shown, *axis, std::move(taken)));
        axis->setNumberFormat(QStringLiteral("g")); // 1e-05 stays as it is
        axis->setSubTicks(false);
        axis->setTickLength(0);
        axis->setTickPen(Qt::NoPen);
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->setLabelPadding(4);
    };
    setUpAxis(m_plot->xAxis, m_scene.x, [this] { return titleRoom(); });
    setUpAxis(m_plot->yAxis, m_scene.y, [] { return 0.0; });
    m_plot->xAxis->setTickLabelPadding(4);
    m_plot->xAxis->setPadding(0);
    m_plot->yAxis->setTickLabelPadding(7); // and the pixel that QCustomPlot leaves beside it
    m_plot->yAxis->setBasePen(Qt::NoPen);
}

void ScenePlot::applyTheme() {
    m_plot->setBackground(QBrush(m_theme.card));
    // Plots line up at a margin of 42 px unless a label needs more.
    const QMargins margins(m_theme.px(42), m_theme.px(6) + kLowEnd, m_theme.px(12), m_theme.px(20) - kLowEnd);
    m_plot->axisRect()->setMargins(margins);
    m_plot->axisRect()->setMinimumMargins(margins);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabelFont(m_theme.small);
        axis->setTickLabelColor(m_theme.text3);
        axis->setLabelFont(m_theme.small);
        axis->setLabelColor(m_theme.text2);
        axis->grid()->setPen(QPen(m_theme.grid, 1));
    }
    m_plot->yAxis->setPadding(m_theme.px(4) + 1);
    showAxes();
}

QRect ScenePlot::changedPart() const {
    return m_changed > kEverything ? m_box.adjusted(static_cast<int>(m_changed) - m_box.left(), 0, 0, 0)
                                   : m_plot->rect();
}

void ScenePlot::setChanged(double from) {
    if (!(from < m_box.right() + 1)) return;
    m_changed = std::min(m_changed, std::max<double>(from, m_box.left())); // the axes have not changed
    m_plot->update(changedPart());
}

void ScenePlot::setScene(PlotScene scene) {
    if (scene.x == m_scene.x && scene.y == m_scene.y) {
        const double from = sceneChangedFrom(m_scene, scene, frame());
        m_scene = std::move(scene);
        return setChanged(from);
    }
    m_scene = std::move(scene);
    showAxes();
}

void ScenePlot::showAxes() {
    const auto show = [](QCPAxis* axis, const AxisRange& range) {
        axis->setScaleType(range.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis->setRange(range.low, range.high);
    };
    m_plot->xAxis->setBasePen(m_scene.x.unit == AxisUnit::None ? QPen(Qt::NoPen) : QPen(m_theme.axis, 1));
    show(m_plot->xAxis, m_scene.x.range);
    show(m_plot->yAxis, m_scene.y.range);
    if (m_titled) setTitles();
    layOut();
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

// The number of ticks depends on the space, and the space on the width of their labels: QCustomPlot lays out once more
// when it draws.
void ScenePlot::layOut() {
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
}

PlotFrame ScenePlot::frame() const {
    const QRect area = m_plot->area().translated(0, -kLowEnd);
    PlotFrame frame(area, m_scene.x.range, m_scene.y.range, m_theme);
    frame.hovered = m_scene.hovered;
    frame.current = m_scene.current;
    return frame;
}

// The resize event, which reaches a hidden widget late, lays out once more and draws.
void ScenePlot::resize(const QSize& size) {
    m_plot->setViewport(QRect(QPoint(), size));
    layOut();
    m_plot->resize(size);
}

void ScenePlot::showTitles(const QMargins& room) {
    m_plot->plotLayout()->setMargins(room);
    m_titled = true;
    setTitles();
}

void ScenePlot::setTitles() {
    m_plot->xAxis->setLabel(m_scene.x.title);
    m_plot->yAxis->setLabel(m_scene.y.title);
}

// A title that would leave too little to the labels gives way.
double ScenePlot::titleRoom() const {
    if (m_titled || m_scene.x.title.isEmpty() || m_scene.x.unit == AxisUnit::None) return 0;
    const double width = QFontMetricsF(m_theme.small).horizontalAdvance(m_scene.x.title) + kTitleGap;
    return width <= m_plot->area().width() * kMostTitle ? width : 0;
}

void ScenePlot::paintTitle(QPainter& painter) const {
    if (titleRoom() <= 0) return;
    const QRect area = m_plot->area();
    painter.setFont(m_theme.small);
    painter.setPen(m_theme.text2);
    const int top = area.bottom() + 1 + m_plot->xAxis->tickLabelPadding();
    painter.drawText(QRect(area.left(), top, area.width(), painter.fontMetrics().height()), Qt::AlignRight,
                     m_scene.x.title);
}

void ScenePlot::repaintOverlay() { m_plot->update(); }

void ScenePlot::repaintOverlay(const QRect& part) { m_plot->update(part); }

void ScenePlot::paintLayers(QPainter& painter, const PlotFrame& shown) const {
    for (const auto& layer : m_scene.layers) {
        painter.save();
        painter.setClipRect(shown.area.adjusted(-kPaintedBeyond, -kPaintedBeyond, kPaintedBeyond, kPaintedBeyond),
                            Qt::IntersectClip);
        layer->paint(painter, shown);
        painter.restore();
    }
}

void ScenePlot::updatePicture() {
    const PlotFrame shown = frame();
    const double ratio = m_plot->devicePixelRatioF();
    const QRect box = shown.area.toRect().adjusted(-kPaintedBeyond, -kPaintedBeyond, kPaintedBeyond, kPaintedBeyond);
    const QSize size = (QSizeF(m_plot->size()) * ratio).toSize();
    if (box != m_box || size != m_picture.size()) {
        m_changed = kEverything;
        m_box = box;
        m_picture = QImage(size, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(ratio);
    }
    if (!(m_changed < box.right() + 1) || size.isEmpty()) return;
    const QRect part = changedPart();
    m_changed = std::numeric_limits<double>::infinity();
    m_plot->paintAxes(m_picture, part);
    QPainter painter(&m_picture);
    painter.setClipRect(part);
    paintTitle(painter);
    paintLayers(painter, shown);
}

void ScenePlot::paintScreen(QPainter& painter) {
    updatePicture();
    painter.drawImage(0, 0, m_picture);
    if (m_overlay) m_overlay(painter);
}

void ScenePlot::paintOn(QPaintDevice& device, const QSize& size) {
    m_plot->setViewport(QRect(QPoint(), size));
    layOut();
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    m_plot->toPainter(&painter, size.width(), size.height());
}

} // namespace trainyard::ui
