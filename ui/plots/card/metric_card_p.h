// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/canvas/frame_clock.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/card_bands.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/card/outlier_layer.h"
#include "ui/plots/card/y_scale.h"
#include "ui/plots/layers/event_layer.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>
#include <optional>

class QPushButton;
class QStackedWidget;

namespace trainyard::ui {

class ChartHeader;
class Label;

// The placeholder of a plot until its first point: the start checklist, or a text if there are no steps.
class WaitingPlot : public QWidget {
    Q_OBJECT
public:
    explicit WaitingPlot(const QString& metric);
    void setChecklist(const QList<ChecklistStep>& steps);
    void setWords(const QString& what, const QString& why);

private:
    Checklist* m_checklist;
    Label *m_what, *m_why;
};

// The curves as last drawn, without the hover: reused while only the hover changes.
struct LastFrame {
    PlotScene scene;
    int columns = 0;     // of pixels in the plot
    bool isStale = true; // must be rebuilt
    std::shared_ptr<CurvePictures> pictures = std::make_shared<CurvePictures>();

    AxisRange shownX(const AxisRange& wanted, int columnsNow, int columnWidth) const;
    AxisRange steadyY(const AxisRange& wanted, int columnsNow) const;
};

// The pointer's place in a canvas, and the tooltip beside it.
class PointerTip {
public:
    ~PointerTip();
    QPointF at() const { return m_at; } // in pixels of the canvas
    bool isInside() const { return m_isInside; }
    void move(QPointF at) { m_at = at, m_isInside = true; }
    void leave();
    // Hides it if empty.
    void show(QWidget& canvas, const TooltipContent& content);
    void hide();
    // Leaves a copy of it beside the place on `board`, until the next call or unpin().
    void pin(QWidget& board, const QWidget& canvas, const TooltipContent& content);
    void unpin();
    bool isPinned() const { return m_pinned != nullptr; }

private:
    QPointF m_at;
    bool m_isInside = false;
    QPointer<ChartTooltip> m_tip;    // of the window
    QPointer<ChartTooltip> m_pinned; // of the board, with which it scrolls
};

// The private part of a card.
class MetricCard::Private {
public:
    Private(MetricCard* card, const QString& metricName, PlotGroup* plotGroup, SeriesStore* seriesStore);

    // metric_card.cpp
    void build();
    void noteMove();
    void schedule(FrameCause cause = FrameCause::User);      // the curves have changed
    void scheduleFrame(FrameCause cause = FrameCause::User); // at least the hover has changed
    void drawIfDue();
    void drawFrame();
    void applyPoints(const QString& run, const QString& name, std::size_t first);
    void setYZoom(const std::optional<AxisRange>& range);
    void applyTheme();

    // metric_card_frame.cpp: from points to a PlotScene
    void refresh();
    void reportExtent();
    int columns() const; // of pixels in the plot
    CurveView viewOf(CardCurve& curve, const ColumnGrid& grid, bool zooming) const;
    bool isHeavy(int columns) const; // too many columns in total for smooth movement
    OutlierMark outliers(const AxisRange& x, const AxisRange& y, const std::vector<CurveView>& views) const;
    CardBands bands() const; // none unless the group shows them
    std::vector<EventMark> eventMarks(const QString& hovered) const;
    void applyMarks(const PlotScene& scene);
    void placeHandle();
    // Without the events. `shown`: what was painted of the scene before.
    PlotScene makeScene(int columns, bool moving, std::shared_ptr<CurvePictures> shown) const;
    void addEvents(PlotScene& scene, const QString& hovered) const; // `hovered`: a run of the card, or empty

    // metric_card_hover.cpp: crosshair, tooltip, nearest run
    void updateCrosshair();
    void updateTooltip();
    void onHover(double x, QPointF pixel);
    void onLeave();
    void onClick(QPointF pixel);
    QString runNear(const QPointF& pixel, double reach) const;
    std::pair<QString, qint64> pointAt(const QPointF& pixel) const;
    TooltipContent valuesUnderPointer() const;
    TooltipContent tooltipContent() const;
    QStringList spokenValues() const;

    MetricCard* q;
    QPointer<PlotGroup> group; // the group may be destroyed first when a window closes
    CardCurves curves;
    std::map<QString, std::vector<PlotEvent>> eventsOf; // by run
    std::shared_ptr<const EventLayer> marks;            // the drawn marks
    YScale yScale;
    bool isLive = false; // the stored points have arrived; newer ones come from training

    ChartHeader* header = nullptr;
    QStackedWidget* stack = nullptr;
    PlotCanvas* canvas = nullptr;
    WaitingPlot* waiting = nullptr;
    QPushButton* jump = nullptr;
    PointerTip tip;
    QString steered; // the run whose end can be dragged

    FrameWait wait;
    QElapsedTimer sinceMove; // since the last move in x
    QTimer rest;             // runs while x is moved again and again
    bool dirty = true;       // a frame is due
    LastFrame frame;
};

} // namespace trainyard::ui
