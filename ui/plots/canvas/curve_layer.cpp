// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/curve_layer.h"

#include "ui/plots/canvas/in_parallel.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace trainyard::ui {

namespace {

// A frame has a budget of antialiased pixels. Beyond it, lines are 1 px wide and not antialiased, which is a hundred
// times faster. Only many noisy runs together exceed it.
constexpr double kRawBudget = 40000;
constexpr double kMainBudget = 40000;
constexpr double kMovingBudget = 8000; // for both, while a plot is moved
constexpr double kAll = -std::numeric_limits<double>::infinity();
constexpr double kReach = 10;              // pixels that a line may cover beyond its vertices
constexpr std::size_t kMostFineMoving = 8; // curves drawn as lines while a plot is moved, however many points they have
constexpr double kDiscReach = 6;           // pixels from the centre of a disc to just outside its edge

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

// The pixel from which on (to the right) two pictures of the same curves differ.
double changedFrom(const CurveStrokes& before, const CurveStrokes& after) {
    const bool sameWay = before.place == after.place && before.columnWidth == after.columnWidth &&
                         before.fineRaws == after.fineRaws && before.fineMains == after.fineMains &&
                         !(before.mainWidth < after.mainWidth) && !(before.mainWidth > after.mainWidth);
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

} // namespace

// Paints strokes over one another, in order. On the screen it uses faster methods than QPainter's, where there are any;
// in vector files, QPainter's own.
class CurveLayer::Brush {
public:
    // `onNothing`: the painter has not painted yet.
    Brush(QPainter& painter, const PlotFrame& frame, const QRectF& box, bool onNothing, int columnWidth)
        : m_painter(painter), m_onNothing(onNothing), m_area(frame.area), m_box(box),
          m_pixels(m_box.intersected(m_area).toAlignedRect(), {columnWidth, m_area.toRect().left()}),
          m_raster(painter.paintEngine()->type() == QPaintEngine::Raster &&
                   painter.transform().type() <= QTransform::TxTranslate) {}
    ~Brush() { flush(); }
    Brush(const Brush&) = delete;
    Brush& operator=(const Brush&) = delete;

    void paintDense(const Stroke& stroke, const QColor& color) {
        if (!m_raster || !stroke.links.empty()) {
            flush();
            return paintBars(m_painter, stroke, color, m_box);
        }
        const QRgb opaque = color.rgb();
        const int left = m_pixels.area().left(), right = m_pixels.area().right();
        auto bar = std::lower_bound(stroke.bars.begin(), stroke.bars.end(), left,
                                    [](const PixelBar& each, int x) { return each.x < x; });
        for (; bar != stroke.bars.end() && bar->x <= right; ++bar) m_pixels.add(*bar, opaque);
    }

    void paintLines(const Stroke& stroke, const QPen& pen, bool fine) {
        const bool thin = !fine && pen.style() == Qt::SolidLine && m_raster;
        if (!thin) {
            flush();
            return paintParts(m_painter, stroke, pen, fine, m_area, m_box);
        }
        const QRgb opaque = pen.color().rgb();
        const int more = pen.widthF() > 1 ? 1 : 0; // pixels below the line
        const double left = m_pixels.area().left(), right = m_pixels.area().right() + 1;
        for (const QList<QPointF>& part : stroke.parts) {
            auto to = std::lower_bound(part.begin(), part.end(), left,
                                       [](const QPointF& each, double x) { return each.x() < x; });
            for (; to != part.end(); ++to) {
                const QPointF& from = to == part.begin() ? *to : *(to - 1);
                if (from.x() > right) break;
                m_pixels.add(from, *to, opaque, more);
            }
        }
    }

private:
    void flush() { m_pixels.flush(m_painter, std::exchange(m_onNothing, false)); }

    QPainter& m_painter;
    bool m_onNothing;
    QRectF m_area, m_box;
    ColumnPicture m_pixels;
    bool m_raster;
};

CurveLayer::CurveLayer(std::vector<CurveView> curves, const CurveDetail& detail,
                       std::shared_ptr<CurvePictures> pictures)
    : m_curves(std::move(curves)), m_detail(detail), m_number(nextNumber()), m_pictures(std::move(pictures)) {}

CurveStrokes CurveLayer::strokes(const PlotFrame& frame) const {
    const int width = m_detail.columnWidth;
    CurveStrokes all{placeOf(frame), width, std::vector<Stroke>(m_curves.size()), std::vector<Stroke>(m_curves.size())};
    const bool coarse = m_detail.moving && m_curves.size() > kMostFineMoving;
    inParallel(static_cast<int>(m_curves.size()), [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        const CurveView& curve = m_curves[i];
        all.raws[i] = strokeOf(curve.raw, frame, coarse, width);
        all.mains[i] = curve.smoothed ? averageStroke(curve.main, frame) : strokeOf(curve.main, frame, coarse, width);
    });
    const double mains = totalLength(all.mains);
    all.fineRaws = totalLength(all.raws) < (m_detail.moving ? kMovingBudget : kRawBudget);
    all.fineMains = mains < (m_detail.moving ? kMovingBudget : kMainBudget);
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
    m_changed = (looks == m_looks ? changedFrom(m_strokes, strokes) : kAll) - kReach;
    for (LinePicture* picture : {&m_all, &m_fadedRaws, &m_fadedMains}) picture->setChanged(m_changed);
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
        Brush brush(inner, frame, box, true, m_detail.columnWidth);
        for (std::size_t i = 0; i < m_curves.size(); ++i) paintRaw(brush, i, frame);
        for (std::size_t i = 0; i < m_curves.size(); ++i) paintMain(brush, i, frame);
    };
    m_pictures->m_all.show(painter, frame, paint, true);
}

// The hovered run is drawn over the others, which are a picture that stays while the pointer moves to another run. The
// hovered run is in that picture, too, hidden by its own line.
void CurveLayer::paintFaded(QPainter& painter, const PlotFrame& frame) const {
    PlotFrame others = frame;
    others.hovered = QStringLiteral(" "); // no run's
    using PaintOne = void (CurveLayer::*)(Brush&, std::size_t, const PlotFrame&) const;
    const auto show = [&](LinePicture& picture, PaintOne paintOne) {
        const auto paint = [&](QPainter& inner, const QRectF& box) {
            inner.setClipRect(frame.area, Qt::IntersectClip);
            Brush brush(inner, others, box, true, m_detail.columnWidth);
            for (std::size_t i = 0; i < m_curves.size(); ++i) (this->*paintOne)(brush, i, others);
        };
        picture.show(painter, frame, paint, true);
        Brush brush(painter, frame, frame.area, false, m_detail.columnWidth);
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

double CurveLayer::changedFrom(const PlotLayer& before, const PlotFrame& frame) const {
    if (this == &before) return std::numeric_limits<double>::infinity();
    if (!frame.hovered.isEmpty()) return kAll; // its line is above all others
    const auto* last = dynamic_cast<const CurveLayer*>(&before);
    if (last == nullptr || last->m_pictures != m_pictures || last->m_number != m_pictures->m_layer) return kAll;
    updateStrokes(frame);
    double from = m_pictures->m_changed;
    if (last->m_curves.size() != m_curves.size()) return kAll;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const CurveView &now = m_curves[i], &then = last->m_curves[i];
        if (now.live == then.live && (!now.live || now.end == then.end)) continue;
        for (const CurveView* each : {&now, &then})
            if (const double x = frame.x.toPixel(each->end.x()); each->live && std::isfinite(x))
                from = std::min(from, x - kDiscReach);
    }
    return from;
}

QList<LegendEntry> CurveLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const CurveView& curve : m_curves) entries << LegendEntry{curve.name, curve.color, false, curve.pattern};
    return entries;
}

} // namespace trainyard::ui
