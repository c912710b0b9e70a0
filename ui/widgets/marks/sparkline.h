// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QWidget>

namespace trainyard::ui {

// Draws values as a 1.25-px line that fills `rect`; non-finite values leave gaps.
void paintSparkline(QPainter& painter, const QRectF& rect, const QList<double>& values, const QColor& color);

// The curve of one series in 56x20 pixels, without axes.
class Sparkline : public QWidget {
    Q_OBJECT
public:
    explicit Sparkline(QWidget* parent = nullptr);
    void setValues(const QList<double>& values, const QColor& color);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<double> m_values;
    QColor m_color;
};

} // namespace trainyard::ui
