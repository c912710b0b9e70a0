// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_layer.h"

#include "ui/plots/in_parallel.h"

#include <QPaintEngine>
#include <QPainter>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <limits>

namespace trainyard::ui {

namespace {

// A frame has a budget of antialiased pixels: beyond it, lines are 1 px wide and not antialiased,
// which is drawn a hundred times faster. Only many noisy runs at once get there.
constexpr double kRawBudget = 40000;
constexpr double kMainBudget = 40000;
constexpr double kMovingBudget = 8000; // of both, while a plot is moved
constexpr double kAll = -std::numeric_limits<double>::infinity();
constexpr double kReach = 10;                 // pixels that a line covers beside its vertices
constexpr std::size_t kMostWholeAverages = 8; // of more curves, every other column is enough

QPen penFor(const QColor& color, qreal width, int pattern) {
    if (dashOf(pattern).isEmpty()) return QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern(dashOf(pattern));
    return pen;
}

double totalLength(const std::vector<Stroke>& strokes) {
    double length = 0;
    for (const Stroke& stroke : strokes) length += stroke.length;
    return length;
}

QList<double> placeOf(const PlotFrame& frame) {
    const QPointF low = frame.toPixel(0, 0), high = frame.toPixel(1, 1);
    return {frame.area.x(), frame.area.y(), frame.area.width(), frame.area.height(),
            low.x(),        low.y(),        high.x(),           high.y()};
}

// The pixel right of which two pictures of the same curves differ.
double changedFrom(const CurveStrokes& before, const CurveStrokes& after) {
    const bool sameWay = before.place == after.place && before.fineRaws == after.fineRaws &&
                         before.fineMains == after.fineMains && !(before.mainWidth < after.mainWidth) &&
                         !(before.mainWidth > after.mainWidth);
    if (!sameWay) return kAll;
    double from = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < after.mains.size(); ++i) {
        from = std::min(from, differFrom(before.raws[i], after.raws[i]));
        from = std::min(from, differFrom(before.mains[i], after.mains[i]));
    }
    return from;
}

quint64 nextNumber() {
    static std::atomic<quint64> last{0};
    return ++last;
}

int stripeCount() { return 2 * QThread::idealThreadCount(); } // one thread may find more to paint than the others

} // namespace

// Paints strokes over one another in the order in which they come: on the screen by ways that are faster than a
// QPainter's, where there are any, in files with vectors by its own.
class CurveLayer::Brush {
public:
    Brush(QPainter& painter, const PlotFrame& frame, const QRectF& box)
        : m_painter(painter), m_area(frame.area), m_box(box), m_pixels(m_box.intersected(m_area).toAlignedRect()),
          m_raster(painter.paintEngine()->type() == QPaintEngine::Raster &&
                   painter.transform().type() <= QTransform::TxTranslate) {}
    ~Brush() { m_pixels.flush(m_painter); }
    Brush(const Brush&) = delete;
    Brush& operator=(const Brush&) = delete;

    void paintDense(const Stroke& stroke, const QColor& color) {
        if (!m_raster || !stroke.links.empty()) {
            m_pixels.flush(m_painter);
            return paintBars(m_painter, stroke, color, m_box);
        }
        const QRgb opaque = color.rgb();
        for (const PixelBar& bar : stroke.bars) m_pixels.add(bar, opaque);
    }

    void paintLines(const Stroke& stroke, const QPen& pen, bool fine) {
        const bool thin = !fine && pen.style() == Qt::SolidLine && m_raster;
        if (!thin) {
            m_pixels.flush(m_painter);
            return paintParts(m_painter, stroke, pen, fine, m_area, m_box);
        }
        const QRgb opaque = pen.color().rgb();
        const int more = pen.widthF() > 1 ? 1 : 0; // pixels below the line
        for (const QList<QPointF>& part : stroke.parts)
            for (qsizetype i = 0; i < part.size(); ++i)
                m_pixels.add(part[std::max(qsizetype{0}, i - 1)], part[i], opaque, more);
    }

private:
    QPainter& m_painter;
    QRectF m_area, m_box;
    ColumnPicture m_pixels;
    bool m_raster;
};

CurveLayer::CurveLayer(std::vector<CurveView> curves, bool moving, std::shared_ptr<CurvePictures> pictures)
    : m_curves(std::move(curves)), m_moving(moving), m_number(nextNumber()), m_pictures(std::move(pictures)) {}

CurveStrokes CurveLayer::strokes(const PlotFrame& frame) const {
    CurveStrokes all{placeOf(frame), std::vector<Stroke>(m_curves.size()), std::vector<Stroke>(m_curves.size())};
    const std::size_t stride = m_curves.size() > kMostWholeAverages ? 2 : 1;
    inParallel(static_cast<int>(m_curves.size()), [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        const CurveView& curve = m_curves[i];
        all.raws[i] = strokeOf(curve.raw, frame);
        all.mains[i] = curve.smoothed ? averageStroke(curve.main, frame, stride) : strokeOf(curve.main, frame);
    });
    const double mains = totalLength(all.mains);
    all.fineRaws = totalLength(all.raws) < (m_moving ? kMovingBudget : kRawBudget);
    all.fineMains = mains < (m_moving ? kMovingBudget : kMainBudget);
    all.mainWidth = mains < kMainBudget ? 2 : 1;
    return all;
}

void CurveLayer::updateStrokes(const PlotFrame& frame) const {
    if (m_pictures->m_layer == m_number && m_pictures->m_strokes.place == placeOf(frame)) return;
    m_pictures->show(m_number, m_curves, strokes(frame));
}

void CurvePictures::show(quint64 layer, const std::vector<CurveView>& curves, CurveStrokes strokes) {
    std::vector<std::pair<QRgb, int>> looks;
    for (const CurveView& curve : curves) looks.emplace_back(curve.color.rgba(), curve.pattern);
    const double changed = looks == m_looks ? changedFrom(m_strokes, strokes) : kAll;
    for (LinePicture* picture : {&m_all, &m_fadedRaws, &m_fadedMains}) picture->setChanged(changed - kReach);
    m_layer = layer;
    m_looks = std::move(looks);
    m_strokes = std::move(strokes);
}

void CurveLayer::paintRaw(Brush& brush, std::size_t curve, const PlotFrame& frame) const {
    const CurveView& view = m_curves[curve];
    const Stroke& stroke = m_pictures->m_strokes.raws[curve];
    const QColor color = mix(frame.theme.card, frame.emphasised(view.color, view.runId), 0.30);
    if (stroke.dense) brush.paintDense(stroke, color);
    else brush.paintLines(stroke, QPen(color, 1), m_pictures->m_strokes.fineRaws);
}

void CurveLayer::paintMain(Brush& brush, std::size_t curve, const PlotFrame& frame) const {
    const CurveView& view = m_curves[curve];
    const Stroke& stroke = m_pictures->m_strokes.mains[curve];
    const QColor color = frame.emphasised(view.color, view.runId);
    if (stroke.dense) brush.paintDense(stroke, view.pattern == 0 ? color : mix(frame.theme.card, color, 0.6));
    else
        brush.paintLines(stroke, penFor(color, m_pictures->m_strokes.mainWidth, view.pattern),
                         m_pictures->m_strokes.fineMains);
}

void CurveLayer::paintAll(QPainter& painter, const PlotFrame& frame) const {
    const auto paint = [&](QPainter& inner, const QRectF& box) {
        inner.setClipRect(frame.area, Qt::IntersectClip);
        Brush brush(inner, frame, box);
        for (std::size_t i = 0; i < m_curves.size(); ++i) paintRaw(brush, i, frame);
        for (std::size_t i = 0; i < m_curves.size(); ++i) paintMain(brush, i, frame);
    };
    m_pictures->m_all.show(painter, frame, paint, stripeCount());
}

// What is pointed at lies over the others, which are a picture that stays while another run is pointed at. It is in
// the picture, too, where its own line hides it.
void CurveLayer::paintFaded(QPainter& painter, const PlotFrame& frame) const {
    PlotFrame others = frame;
    others.hovered = QStringLiteral(" "); // no run's
    using PaintOne = void (CurveLayer::*)(Brush&, std::size_t, const PlotFrame&) const;
    const auto show = [&](LinePicture& picture, PaintOne paintOne) {
        const auto paint = [&](QPainter& inner, const QRectF& box) {
            inner.setClipRect(frame.area, Qt::IntersectClip);
            Brush brush(inner, others, box);
            for (std::size_t i = 0; i < m_curves.size(); ++i) (this->*paintOne)(brush, i, others);
        };
        picture.show(painter, frame, paint, stripeCount());
        Brush brush(painter, frame, frame.area);
        for (std::size_t i = 0; i < m_curves.size(); ++i)
            if (m_curves[i].runId == frame.hovered) (this->*paintOne)(brush, i, frame);
    };
    if (std::any_of(m_curves.begin(), m_curves.end(), [](const CurveView& curve) { return curve.smoothed; }))
        show(m_pictures->m_fadedRaws, &CurveLayer::paintRaw);
    show(m_pictures->m_fadedMains, &CurveLayer::paintMain);
}

void CurveLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    updateStrokes(frame);
    painter.save();
    painter.setClipRect(frame.area, Qt::IntersectClip);
    if (frame.hovered.isEmpty()) paintAll(painter, frame);
    else paintFaded(painter, frame);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const CurveView& curve : m_curves) {
        const QPointF end = frame.toPixel(curve.end.x(), curve.end.y());
        if (!curve.live || !frame.shows(end)) continue;
        painter.setPen(QPen(frame.theme.card, 1.5));
        painter.setBrush(frame.emphasised(curve.color, curve.runId));
        painter.drawEllipse(end, 4.25, 4.25);
    }
}

QList<LegendEntry> CurveLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const CurveView& curve : m_curves) entries << LegendEntry{curve.name, curve.color, false, curve.pattern};
    return entries;
}

} // namespace trainyard::ui
