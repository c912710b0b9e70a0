// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/canvas/line_picture.h"

namespace trainyard::ui {

// One axis of parallel coordinates. Places go from 0, at the bottom, to 1.
struct ParallelAxis {
    QString name;                               // in files
    std::vector<Tick> ticks{};                  // at places
    QList<std::pair<double, double>> brushes{}; // from and to
    QString title{};                            // on the screen; empty: the name
    bool ramp = false;                          // its places are the lines' qualities, so it shows their colours

    const QString& shownTitle() const { return title.isEmpty() ? name : title; }
};

// One run as a line from axis to axis.
struct ParallelLine {
    QString run, name;
    QList<double> places{}; // one for each axis; NaN: it has no value there
    QStringList values{};   // the same in words
    double quality = 0;     // 0 the worst to 1 the best: its colour in the ramp of quantities
    QColor color;           // its own, while hovered or current
    bool best = false;
    bool faded = false; // outside the filter
};

// Parallel coordinates (Inselberg 1985): axis i stands at x = i, and y is a place on it. Lines from the worst to the
// best; more than kSmooth are straight and one pixel wide, so that ten thousand of them stay smooth to use.
class ParallelLayer final : public PlotLayer {
public:
    // `all`: a picture of these lines, all faded, shared by layers that differ only in the filter.
    ParallelLayer(QList<ParallelAxis> axes, QList<ParallelLine> lines, std::shared_ptr<LinePicture> all = {});

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    // The line nearest to the pixel in y, at most 8 px away; a faded one only if there is no other.
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    // The ends of the ramp of quantities.
    QList<LegendEntry> legend(const Theme& theme) const override;
    // run,name and a column for each axis.
    std::string csv() const override;
    QString description() const override;

private:
    static constexpr qsizetype kSmooth = 600;
    bool isSmooth() const { return m_lines.size() <= kSmooth; }
    void paintLine(QPainter& painter, const PlotFrame& frame, const ParallelLine& line) const;
    void paintStraight(QPainter& painter, const PlotFrame& frame) const;
    void paintFaded(QPainter& painter, const PlotFrame& frame) const;
    void addSegments(QList<QLineF>& segments, const ParallelLine& line, const PlotFrame& frame) const;
    void paintAxis(QPainter& painter, const PlotFrame& frame, qsizetype axis) const;
    double distanceTo(const ParallelLine& line, const QPointF& pixel, const PlotFrame& frame) const;

    QList<ParallelAxis> m_axes;
    QList<ParallelLine> m_lines; // by quality
    bool m_anyFaded = false;
    std::shared_ptr<LinePicture> m_all, m_kept; // used for straight lines
};

// The colour of a quantity from 0 to 1.
QColor rampColor(const Theme& theme, double quality);

} // namespace trainyard::ui
