// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_style.h"
#include "ui/plots/canvas/frame_clock.h"
#include "ui/plots/canvas/plot_axis.h"
#include "ui/series/plot_point.h"

#include <QHash>
#include <QObject>

#include <limits>

namespace trainyard::ui {

// A range of x; empty until a card has points.
struct XRange {
    double low = 0;
    double high = 0;

    bool isEmpty() const { return !(high > low); }
    bool operator==(const XRange&) const = default;
};

// The x range of a card's points, and their smallest x above 0 (0: none), where a log axis begins.
struct XExtent {
    XRange range;
    double leastPositive = 0;

    bool operator==(const XExtent&) const = default;
};

// The state shared by the cards of one page: x range and mode, smoothing, crosshair and hovered run. GUI thread only.
class PlotGroup : public QObject {
    Q_OBJECT
public:
    explicit PlotGroup(QObject* parent = nullptr);

    XMode xMode() const { return m_xMode; }
    void setXMode(XMode mode);
    // A log axis has no place for x = 0, such as step 0: it begins at the smallest x above 0. Wall time has no log
    // axis.
    bool logX() const { return m_logX && m_xMode != XMode::WallTime; }
    void setLogX(bool on);
    YMode yMode() const { return m_yMode; }
    // Sets the mode of every card and ends the y zoom of each.
    void setYMode(YMode mode);
    // 0 (off) to 0.999: weight of the debiased exponential moving average.
    double smoothing() const { return m_smoothing; }
    void setSmoothing(double weight);
    // Adds a mean ± standard deviation band over the shown runs, where at least two have the series.
    bool showBand() const { return m_showBand; }
    void setShowBand(bool on);

    // Marks the events that changed a run's curves.
    bool showEvents() const { return m_showEvents; }
    void setShowEvents(bool on);

    // The x range all points cover.
    XRange fullRange() const { return m_full; }
    // The visible x range: the full range unless zoomed. A zoom without points is suspended until it contains some; a
    // zoom made on other runs stays suspended when a training run reaches it.
    XRange visibleRange() const { return isZoomed() ? m_visible : m_full; }
    bool isZoomed() const { return m_zoomed && !m_asleep; }
    // The zoomed range, even while suspended; empty: no zoom.
    XRange zoom() const { return m_zoomed ? m_visible : XRange(); }
    // The x axis of every card: the visible range, with room for the live disc while it is not zoomed, and above 0 when
    // it is logarithmic.
    AxisRange xAxis() const;
    // Zooms; stays when points arrive.
    void setVisibleRange(double low, double high);
    // The same for the user's drag or key: a range that is only panned stops at the end of the points.
    void requestRange(double low, double high);
    // Restores a saved zoom; suspends it at once if it contains no points.
    void restoreZoom(double low, double high);
    // Ends the zoom in x; the cards end theirs in y.
    void fit();
    // Moves the zoomed range, same width, to the newest points.
    void jumpToLive();
    // Newest points lie outside the visible range.
    bool isBehindLive() const;

    FrameClock& frames() { return m_frames; }
    const FrameClock& frames() const { return m_frames; }

    // Stops redrawing for new points (they are kept); false catches up.
    bool isPaused() const { return m_paused; }
    void setPaused(bool on);

    // NaN = no crosshair.
    double crosshair() const { return m_crosshair; }
    void setCrosshair(double x);
    void clearCrosshair() { setCrosshair(std::numeric_limits<double>::quiet_NaN()); }
    // Empty = none. The other runs fade.
    QString hoveredRun() const { return m_hovered; }
    void setHoveredRun(const QString& runId);

    // A card reports the range of its points in the current mode; an empty range removes it.
    void reportExtent(const QObject* card, const XExtent& extent);
    // Other runs are shown from now on: a suspended zoom may be theirs.
    void showOtherRuns();
    // The stored points of the shown runs have arrived; newer ones come from training. A zoom still suspended belongs
    // to other runs.
    void goLive();

Q_SIGNALS:
    void modesChanged(); // x or y mode, log x, band
    void showEventsChanged();
    void smoothingChanged(double weight);
    void fullRangeChanged();
    void visibleRangeChanged();
    void fitted();
    void crosshairChanged(double x);
    void hoveredRunChanged(const QString& runId);
    void pausedChanged(bool paused);
    // A curve was clicked in one of the cards.
    void runClicked(const QString& runId);

private:
    bool showsNothing() const; // whether the zoom contains no points
    bool sleeps() const { return m_zoomed && (m_isForeign || showsNothing()); }

    FrameClock m_frames;
    QHash<const QObject*, XExtent> m_extents;
    XRange m_full, m_visible;
    double m_leastPositive = 0;
    XMode m_xMode = XMode::Step;
    YMode m_yMode = YMode::Auto;
    double m_smoothing = 0;
    double m_crosshair = std::numeric_limits<double>::quiet_NaN();
    QString m_hovered;
    bool m_logX = false, m_showBand = false, m_showEvents = true, m_zoomed = false, m_paused = false;
    bool m_asleep = false, m_isForeign = false; // state of the zoom
    bool m_live = false;
};

} // namespace trainyard::ui
