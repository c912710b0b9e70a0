// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QString>
#include <QWidget>

namespace trainyard::ui {

// Points of one parameter against the score; log or linear x. A click chooses the run.
class ScatterPlot : public QWidget {
    Q_OBJECT
public:
    struct Dot {
        QString run, name;
        double x = 0, y = 0;
        QColor color;
        bool best = false;
    };
    explicit ScatterPlot(QWidget* parent = nullptr);
    void setDots(const QList<Dot>& dots, const QString& xTitle, const QString& yTitle);
    void setLog(bool on);
    void setHovered(const QString& run);
    QSize sizeHint() const override { return {360, 260}; }

Q_SIGNALS:
    void chosen(const QString& run);
    void hovered(const QString& run);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF plot() const;
    bool shown(const Dot& dot) const; // has a place in the plot
    void measure();
    QPointF toPixel(const Dot& dot) const;
    const Dot* at(const QPointF& position) const;
    void paintAxes(QPainter& painter) const;

    QList<Dot> m_dots;
    QString m_xTitle, m_yTitle, m_hovered;
    bool m_log = true;
    double m_xLow = 0, m_xHigh = 1, m_yLow = 0, m_yHigh = 1; // x in log10 when m_log
};

} // namespace trainyard::ui
