// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/scatter_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_words.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>
#include <map>
#include <memory>
#include <tuple>

namespace trainyard::ui {

namespace {

constexpr double kDotReach = 14; // pixels from a dot to the pointer
constexpr double kDotRadius = 5;
constexpr double kBestRadius = 6.5;
constexpr qsizetype kSome = 100;  // dots, from which on they are painted as pictures
constexpr qsizetype kMany = 1000; // dots; beyond, they are small squares, which take a twentieth of the time
constexpr double kManyRadius = 2;
constexpr qsizetype kSpokenDots = 50; // dots, each in words

bool hasValues(const ScatterDot& dot) { return std::isfinite(dot.x) && std::isfinite(dot.y); }

bool hasPlace(const ScatterDot& dot, bool logX, bool logY) {
    return hasValues(dot) && (!logX || dot.x > 0) && (!logY || dot.y > 0);
}

} // namespace

// Pictures of the dots, one of each look: many dots have few colours, and a picture takes a fifth of the time of an
// ellipse. Each lies on the nearest pixels. For one painting.
class ScatterLayer::Stamps {
public:
    explicit Stamps(double ratio) : m_ratio(ratio) {}
    // Null: this device wants the shapes themselves, or these are few.
    static std::unique_ptr<Stamps> of(const QPainter& painter, qsizetype dots) {
        const bool isScreen = painter.paintEngine()->type() == QPaintEngine::Raster &&
                              painter.transform().type() <= QTransform::TxTranslate;
        if (dots < kSome || !isScreen) return nullptr;
        return std::make_unique<Stamps>(painter.device()->devicePixelRatioF());
    }

    void paint(QPainter& painter, const QPointF& at, const QPen& pen, const QColor& fill) {
        const auto key = std::tuple(pen.color().rgba(), fill.rgba());
        QImage& stamp = m_stamps[key];
        if (stamp.isNull()) stamp = drawn(pen, fill);
        const auto snapped = [this](double value) { return std::round(value * m_ratio) / m_ratio; };
        painter.drawImage(QPointF(snapped(at.x() - kHalf), snapped(at.y() - kHalf)), stamp);
    }

private:
    static constexpr double kHalf = kDotRadius + 2; // and the pen

    QImage drawn(const QPen& pen, const QColor& fill) const {
        QImage image((QSizeF(2 * kHalf, 2 * kHalf) * m_ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(m_ratio);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawEllipse(QPointF(kHalf, kHalf), kDotRadius, kDotRadius);
        return image;
    }

    double m_ratio;
    std::map<std::tuple<QRgb, QRgb>, QImage> m_stamps;
};

void ScatterLayer::paintDot(QPainter& painter, const PlotFrame& frame, const ScatterDot& dot, Stamps* stamps) const {
    const QPointF at = frame.toPixel(dot.x, dot.y);
    if (!hasValues(dot) || !frame.shows(at)) return;
    const bool strong = dot.best || dot.run == frame.hovered;
    const bool many = m_dots.size() > kMany;
    const double radius = strong ? kBestRadius : many ? kManyRadius : kDotRadius;
    if (many && !strong && dot.run != frame.current) { // an outline would take most of the time
        const QColor color = dot.faded ? mix(frame.theme.card, frame.theme.text3, 0.35) : dot.color;
        const double side = 2 * radius - 1;
        return painter.fillRect(QRectF(at.x() - side / 2, at.y() - side / 2, side, side),
                                frame.emphasised(color, dot.run));
    }
    QPen pen(dot.edged ? frame.theme.text2 : frame.theme.card, dot.edged ? 1 : 1.5);
    QColor fill = dot.best ? dot.color : frame.emphasised(dot.color, dot.run);
    if (dot.faded && !strong) {
        pen = QPen(mix(frame.theme.card, frame.theme.text3, 0.5), 1);
        fill = frame.theme.card;
    }
    if (stamps && !strong && dot.run != frame.current) return stamps->paint(painter, at, pen, fill);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawEllipse(at, radius, radius);
    if (dot.run != frame.current) return;
    painter.setPen(QPen(frame.theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius + 2.5, radius + 2.5);
}

ScatterLayer::ScatterLayer(QList<ScatterDot> dots, const QString& xName, const QString& yName)
    : m_dots(std::move(dots)), m_xName(xName), m_yName(yName) {}

void ScatterLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing);
    int waiting = 0;
    int notPositive = 0;
    const auto stamps = Stamps::of(painter, m_dots.size());
    for (const ScatterDot& dot : m_dots) {
        waiting += hasValues(dot) ? 0 : 1;
        notPositive += hasValues(dot) && !hasPlace(dot, frame.x.isLog(), frame.y.isLog()) ? 1 : 0;
        paintDot(painter, frame, dot, stamps.get());
    }
    QStringList notes;
    if (waiting > 0) notes << PlotWords::tr("%1 without a value").arg(waiting);
    if (notPositive > 0) notes << PlotWords::tr("%1 at or below 0, not on a log axis").arg(notPositive);
    if (notes.isEmpty()) return;
    painter.setFont(frame.theme.small);
    painter.setPen(frame.theme.text3);
    painter.drawText(frame.area.adjusted(0, 0, -4, -4), Qt::AlignRight | Qt::AlignBottom,
                     notes.join(QStringLiteral(", ")));
}

PlotBounds ScatterLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    for (const ScatterDot& dot : m_dots)
        if (hasPlace(dot, logX, logY)) bounds.add(dot.x, dot.y);
    return bounds;
}

std::optional<PlotHit> ScatterLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const ScatterDot* nearest = nullptr;
    double best = kDotReach;
    for (const ScatterDot& dot : m_dots) {
        const QPointF at = frame.toPixel(dot.x, dot.y);
        const double distance = std::hypot(at.x() - pixel.x(), at.y() - pixel.y());
        if (hasValues(dot) && frame.shows(at) && distance < best) {
            best = distance;
            nearest = &dot;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    TooltipContent tooltip;
    tooltip.heading = nearest->name;
    tooltip.rows << TooltipRow{nearest->color, seriesTitle(m_xName), exactText(nearest->x), {}}
                 << TooltipRow{nearest->color, seriesTitle(m_yName), exactText(nearest->y), {}};
    return PlotHit{nearest->run, best, tooltip};
}

QList<LegendEntry> ScatterLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const ScatterDot& dot : m_dots) entries << LegendEntry{dot.name, dot.color, true};
    return entries;
}

std::string ScatterLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "run,name," + field(m_xName) + ',' + field(m_yName) + '\n';
    for (const ScatterDot& dot : m_dots)
        text += field(dot.run) + ',' + field(dot.name) + ',' + csvNumber(dot.x).toStdString() + ',' +
                csvNumber(dot.y).toStdString() + '\n';
    return text;
}

QString ScatterLayer::description() const {
    if (const PlotBounds all = bounds(false, false); m_dots.size() > kSpokenDots && !all.isEmpty()) {
        const auto span = [](const QString& name, double low, double high) {
            return PlotWords::tr("%1 from %2 to %3").arg(seriesText(name), metricText(low), metricText(high));
        };
        return PlotWords::tr("%1 trials: %2, %3")
            .arg(countText(static_cast<double>(m_dots.size())), span(m_yName, all.yLow, all.yHigh),
                 span(m_xName, all.xLow, all.xHigh));
    }
    QStringList spoken;
    for (const ScatterDot& dot : m_dots)
        spoken << PlotWords::tr("%1: %2 %3 at %4 %5")
                      .arg(dot.name, seriesText(m_yName), metricText(dot.y), seriesText(m_xName), exactText(dot.x));
    return spoken.join(QStringLiteral("; "));
}

} // namespace trainyard::ui
