// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

namespace trainyard::ui {

// A share as a 32x4 bar in the colour of the run that causes it, or grey.
class MiniBar : public QWidget {
    Q_OBJECT
public:
    explicit MiniBar(QWidget* parent = nullptr);
    // `share` 0..1; an invalid colour means no run: text3.
    void setValue(double share, const QColor& color = QColor());
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = 0;
    QColor m_color;
};

// Progress of a run: 6-px track in its colour. A share below 0 means an unknown length.
class ProgressLine : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(QWidget* parent = nullptr);
    void setValue(double share, const QColor& color);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = 0;
    QColor m_color;
};

// Both bars' painting, for delegates: track, then the share 0..1 in `color`.
void paintBar(QPainter& painter, const QRectF& rect, double share, const QColor& color, const QColor& track);

} // namespace trainyard::ui
