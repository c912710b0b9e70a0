// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QWidget>

namespace trainyard::ui {

// One run in the strip: at most a few hundred (x, y) points, y scaled by the strip itself.
struct OverviewCurve {
    QColor color;
    QList<QPointF> points;
};

// A mark on the time line; best is drawn filled.
struct OverviewCheckpoint {
    double x = 0;
    QColor color;
    bool best = false;
};

// All selected runs over the whole x range, with the visible range as handles: drag inside pans,
// drag a handle zooms, double click fits. Left, Right, + and - do the same from the keyboard.
class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    explicit OverviewStrip(QWidget* parent = nullptr);

    void setCurves(const QList<OverviewCurve>& curves);
    void setCheckpoints(const QList<OverviewCheckpoint>& checkpoints);
    void setEpochTicks(const QList<double>& ticks);
    void setFullRange(double low, double high);
    void setVisibleRange(double low, double high);
    // Dashed line at x; NaN hides it.
    void setCrosshair(double x);
    QSize sizeHint() const override;

Q_SIGNALS:
    void rangeRequested(double low, double high);
    void fitRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Grip { None, Low, High, Inside };

    QRectF plot() const;
    double toPixel(double x) const;
    double toValue(double pixel) const;
    Grip gripAt(double pixel) const;
    void request(double low, double high);
    void paintCurves(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    QList<OverviewCurve> m_curves;
    QList<OverviewCheckpoint> m_checkpoints;
    QList<double> m_ticks;
    double m_low = 0, m_high = 1, m_from = 0, m_to = 1;
    double m_crosshair;
    Grip m_grip = Grip::None;
    double m_pressValue = 0, m_pressFrom = 0, m_pressTo = 1;
};

} // namespace trainyard::ui
