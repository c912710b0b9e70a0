// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

namespace trainyard::ui {

// The loss over a rising learning rate, with a box of rates to draw, move and resize by mouse or keys: dragging beside
// it draws a new one, its edges resize it, its inside moves it; Left and Right move it, Down and Up make it narrower
// and wider. The axis of rates is logarithmic.
class LrCurve : public QWidget {
    Q_OBJECT
public:
    explicit LrCurve(QWidget* parent = nullptr);

    struct Course {
        QList<QPointF> points;              // learning rate > 0, smoothed loss
        double suggested = 0, lowestAt = 0; // learning rates; 0: none
    };
    // At first, the box surrounds the suggestion.
    void setCourse(const Course& course);
    // Ends of the box, with two digits.
    double from() const;
    double to() const;
    void setRange(double from, double to);
    QRectF box() const; // in the widget
    QSize sizeHint() const override;

Q_SIGNALS:
    void rangeChanged(double from, double to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Grip { None, Low, High, Whole, New };
    QRectF plot() const;
    double xOf(double lr) const;
    double lrAt(double x) const;
    Grip gripAt(double x) const;
    void moveEnds(double low, double high); // as logarithms; kept within the axis
    void paintCourse(QPainter& painter, const QRectF& area) const;

    Course m_course;
    double m_least = -6, m_most = 1; // of the axis, as log10
    double m_low = 0, m_high = 0;    // of the box, as log10
    Grip m_grip = Grip::None;
    double m_pressedAt = 0, m_lowAtPress = 0, m_highAtPress = 0; // as log10
};

} // namespace trainyard::ui
