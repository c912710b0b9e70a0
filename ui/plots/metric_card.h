// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_point.h"
#include "ui/widgets/checklist.h"

#include <QList>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <memory>
#include <span>

namespace trainyard::ui {

class PlotGroup;
class SeriesData;

enum class ChartFormat { Png, Svg, Pdf };

// One metric of many runs as live curves in a card: header with the values at the crosshair,
// plot, tooltip. All points are kept; what is drawn is reduced from them for each zoom.
// GUI thread only.
class MetricCard : public QWidget {
    Q_OBJECT
public:
    // `group` must outlive the card.
    MetricCard(const QString& metric, PlotGroup* group, QWidget* parent = nullptr);
    ~MetricCard() override;

    QString metric() const;
    // Words in text3 after the title, such as "all ranks".
    void setNote(const QString& note);

    // Which runs are drawn, in this order. Points of runs that leave are dropped unless
    // `keepPoints`; a run that stays keeps its points and only changes its looks.
    void setCurves(const QList<CurveStyle>& curves, bool keepPoints = false);
    QList<CurveStyle> curves() const;
    // Adds points of one run, redrawn with the next frame (at most every 33 ms, 100 ms for loads of
    // more than 10,000 points). Unknown runs are ignored.
    void append(const QString& runId, std::span<const PlotPoint> points);
    // Drops the points of a run whose step is above `step` (a restart from a checkpoint).
    void truncateAfter(const QString& runId, qint64 step);
    // Drops the points of all runs.
    void clear();
    // The points of one run; nullptr for an unknown one.
    const SeriesData* series(const QString& runId) const;
    // Marks a run as running: it ends in a disc.
    void setLive(const QString& runId, bool live);

    // Shown in the plot until the first point: the start checklist, or with no steps the words
    // set by setEmptyText().
    void setChecklist(const QList<ChecklistStep>& steps);
    void setEmptyText(const QString& what, const QString& why);

    // What y mode and scale the card ended up with in the last frame.
    bool isLogY() const;
    // This card's own y mode; without a call it follows the group.
    void setYMode(YMode mode);

    // Writes the chart as shown, with legend and axis titles, off the GUI thread; `done` is called
    // on the GUI thread with an empty string or a message that names the file and the cause.
    void exportChart(const QString& path, ChartFormat format, const QSize& size,
                     std::function<void(const QString& error)> done);
    // Writes every point of the shown runs: run,name,series,step,epoch,time_s,value.
    void exportCsv(const QString& path, std::function<void(const QString& error)> done);

    // Redraws at once instead of with the next frame; for tests and pictures.
    void refreshNow();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    // The user chose "Expand" (or pressed it again to shrink).
    void expandRequested();
    // The export button was pressed; the place asks for a file and calls an export above.
    void exportRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::ui
