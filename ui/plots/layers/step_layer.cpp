// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/step_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

namespace trainyard::ui {

StepLayer::StepLayer(QList<QPointF> points, double end, const QString& name, const QString& xName, const QString& yName)
    : m_points(std::move(points)), m_end(end), m_name(name), m_xName(xName), m_yName(yName) {}

void StepLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    if (m_points.isEmpty()) return;
    // Cut a little outside the axes, because an SVG ignores the clip.
    const QRectF room = frame.area.adjusted(-4, -4, 4, 4);
    const auto inside = [&room](QPointF at) {
        return QPointF(std::clamp(at.x(), room.left(), room.right()), std::clamp(at.y(), room.top(), room.bottom()));
    };
    QPolygonF line;
    for (qsizetype i = 0; i < m_points.size(); ++i) {
        const double next = i + 1 < m_points.size() ? m_points[i + 1].x() : std::max(m_end, m_points[i].x());
        line << inside(frame.toPixel(m_points[i].x(), m_points[i].y())) << inside(frame.toPixel(next, m_points[i].y()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(frame.theme.seq[4], 2));
    painter.drawPolyline(line);
}

PlotBounds StepLayer::bounds(bool logX, bool logY) const {
    PlotBounds bounds;
    const auto add = [&](double x, double y) {
        if ((!logX || x > 0) && (!logY || y > 0)) bounds.add(x, y);
    };
    for (const QPointF& point : m_points) add(point.x(), point.y());
    if (!m_points.isEmpty()) add(std::max(m_end, m_points.last().x()), m_points.last().y());
    return bounds;
}

QList<LegendEntry> StepLayer::legend(const Theme& theme) const { return {{m_name, theme.seq[4]}}; }

std::string StepLayer::csv() const {
    std::string text = run::csvField(m_xName.toStdString()) + ',' + run::csvField(m_yName.toStdString()) + '\n';
    for (const QPointF& point : m_points)
        text += csvNumber(point.x()).toStdString() + ',' + csvNumber(point.y()).toStdString() + '\n';
    return text;
}

QString StepLayer::description() const {
    if (m_points.isEmpty()) return {};
    return QCoreApplication::translate("Plots", "%1: from %2 to %3 in %4 steps")
        .arg(m_name, metricText(m_points.first().y()), metricText(m_points.last().y()))
        .arg(m_points.size());
}

} // namespace trainyard::ui
