// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/frame_clock.h"
#include "ui/plots/canvas/frame_pace.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/card/outlier_layer.h"
#include "ui/plots/layers/event_layer.h"
#include "ui/series/run_band.h"
#include "ui/series/series_store.h"
#include "ui/series/smooth_series.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>
#include <optional>

class QPushButton;
class QStackedWidget;

namespace trainyard::ui {

class ChartHeader;
class Label;

// One series of one run in a card: its looks, its points and their average.
struct CardCurve {
    CurveStyle style;
    QString series;
    int pattern = 0;                        // of its line: the place of its series in the card
    std::shared_ptr<const SeriesData> data; // the store's
    std::shared_ptr<SmoothSeries> smooth = std::make_shared<SmoothSeries>();
    ColumnCache columns;       // of the data
    double smoothingAsked = 0; // weight of the average under way in a worker; 0 = none
    bool live = false;
};

// The private part of a card.
class MetricCard::Private {
public:
    Private(MetricCard* card, const QString& metricName, PlotGroup* plotGroup, SeriesStore* seriesStore);

    // metric_card.cpp
    CardCurve* find(const QString& runId) const; // the first of that run
    CardCurve* find(const QString& runId, const QString& name) const;
    void follow(); // makes a curve for each series of each run
    QString nameOf(const CardCurve& curve) const;
    void build();
    void noteMove();
    void schedule(FrameCause cause = FrameCause::User);      // the curves are others
    void scheduleFrame(FrameCause cause = FrameCause::User); // at least what is pointed at is
    void drawIfDue();
    void drawFrame();
    void applyPoints(const QString& run, const QString& name, std::size_t first);
    void setYZoom(const std::optional<AxisRange>& range);
    bool showsInY(const AxisRange& range) const; // any value of the runs
    void applyTheme();

    // metric_frame.cpp: from points to a PlotScene
    void refresh();
    void reportExtent();
    double smoothing(const CardCurve& curve) const; // the weight that it is drawn with
    double smoothing() const;                       // the largest of those
    void updateSmoothing();
    void smoothInWorker(CardCurve& curve, double weight);
    bool isSmoothed(const CardCurve& curve) const;
    const ValueSource& shown(const CardCurve& curve) const;
    int columns() const; // of pixels in the plot
    AxisRange yRange(const std::vector<CurveView>& views, const std::vector<BandPoint>& band) const;
    bool fallsOverDecades() const;
    bool trains() const; // one of the runs
    AxisRange shownY(const AxisRange& wanted, int columns) const;
    CurveView viewOf(CardCurve& curve, const ColumnGrid& grid, bool zooming) const;
    AxisRange shownX(const AxisRange& wanted, int columns, int columnWidth) const;
    bool isHeavy(int columns) const; // too many columns of all curves for frames that follow one another
    OutlierMark outliers(const AxisRange& x, const AxisRange& y, const std::vector<CurveView>& views) const;
    std::vector<BandRun> bandRuns() const; // of the first series; empty when there is no band
    std::vector<EventMark> eventMarks(const QString& hovered) const;
    void applyMarks(const PlotScene& scene);
    void placeHandle();
    // Without the events. `shown`: what was painted of the scene before.
    PlotScene makeScene(int columns, bool moving, std::shared_ptr<CurvePictures> shown) const;
    void addEvents(PlotScene& scene, const QString& hovered) const; // `hovered`: a run of the card, or empty

    // metric_hover.cpp: crosshair, tooltip, nearest run
    void updateCrosshair();
    void updateTooltip();
    void onHover(double x, QPointF pixel);
    void onLeave();
    QString runNear(const QPointF& pixel, double reach) const;
    std::pair<QString, qint64> pointAt(const QPointF& pixel) const;
    TooltipContent tooltipContent() const;
    QStringList spokenValues() const;

    MetricCard* q;
    QString metric; // the first series
    QStringList series;
    PlotGroup* group;
    QPointer<PlotGroup> groupAlive; // the group may go first while a window is torn down
    SeriesStore* store;
    QList<CurveStyle> styles;                           // of its runs
    std::vector<std::unique_ptr<CardCurve>> curves;     // of all series of the first run, then of the next
    std::map<QString, std::vector<PlotEvent>> eventsOf; // by run
    std::shared_ptr<const EventLayer> marks;            // that are drawn
    ChartAxes axes;
    std::optional<AxisRange> yZoom;
    bool yIsForeign = false; // it was made on other runs, and shows nothing of these
    bool isLive = false;     // what the runs had is there; what comes now is trained
    bool logY = false;

    ChartHeader* header = nullptr;
    QStackedWidget* stack = nullptr;
    PlotCanvas* canvas = nullptr;
    Checklist* checklist = nullptr;
    QWidget* waiting = nullptr;
    Label* emptyWhat = nullptr;
    Label* emptyWhy = nullptr;
    QPushButton* jump = nullptr;
    QPointer<ChartTooltip> tooltip;
    QString steered; // the run whose end can be dragged

    FrameWait wait;
    QElapsedTimer sinceMove; // of x
    QTimer rest;             // runs while x is moved again and again
    bool dirty = true;       // a frame is due
    std::shared_ptr<CurvePictures> pictures = std::make_shared<CurvePictures>(); // of the frames
    PlotScene curvesScene; // of the last frame, before what is pointed at: it stays while only that changes
    int curvesColumns = 0; // of it; 0: it is to be made anew
    int lastColumns = 0;   // of it, whether or not
    QPointF pointer;       // in canvas pixels
    bool pointerInside = false;
};

} // namespace trainyard::ui
