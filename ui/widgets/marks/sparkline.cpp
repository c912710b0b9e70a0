// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/sparkline.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPolygonF>

#include <cmath>
#include <limits>

namespace trainyard::ui {

void paintSparkline(QPainter& painter, const QRectF& rect, const QList<double>& values, const QColor& color) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (values.size() < 2 || !std::isfinite(low)) return;
    const double span = high > low ? high - low : 1;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const qreal step = rect.width() / static_cast<qreal>(values.size() - 1);
    QPolygonF line;
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) {
            const qreal y = high > low ? (high - values[i]) / span : 0.5;
            line << QPointF(rect.left() + step * static_cast<qreal>(i), rect.top() + y * rect.height());
        } else {
            painter.drawPolyline(line);
            line.clear();
        }
    }
    painter.drawPolyline(line);
    painter.restore();
}

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Trend"));
}

void Sparkline::setValues(const QList<double>& values, const QColor& color) {
    m_values = values;
    m_color = color;
    update();
}

QSize Sparkline::sizeHint() const { return {Theme::current().px(56), Theme::current().px(20)}; }

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSparkline(painter, QRectF(rect()).adjusted(1, 3, -1, -3), m_values, m_color);
}

} // namespace trainyard::ui
