// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_style.h"
#include "ui/plots/canvas/plot_axis.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/plots/chart/chart_widget.h"
#include "ui/series/plot_point.h"
#include "ui/widgets/sheets/checklist.h"

#include <QList>
#include <QPointer>

#include <memory>

namespace trainyard::ui {

class PlotGroup;
class SeriesStore;
struct CsvSeries;

// One metric of many runs, or several metrics, as live curves in a card: header with the values at the crosshair, plot,
// tooltip. It reads the store's points and, for each zoom, reduces all of them to the drawn columns. GUI thread only.
class MetricCard : public ChartWidget {
    Q_OBJECT
public:
    // `group` must outlive the card, `store` every call of setCurves().
    MetricCard(const QString& metric, PlotGroup* group, SeriesStore* store, QWidget* parent = nullptr);
    ~MetricCard() override;

    QString metric() const;
    // Further series to draw with it, dashed; `series` begins with metric().
    void setSeries(const QStringList& series);
    QStringList series() const;
    QString title() const override;
    QString fileName() const override;
    // Its header has a menu and can be dragged; off unless set.
    void setOnBoard(bool on);
    void setPinned(bool on);
    // Words in text3 after the title, such as "all ranks".
    void setNote(const QString& note);

    // The runs to draw, in this order. The card redraws changed points at most every 20 ms; every 100 ms for loads of
    // more than 10,000 points and while the user works in another window.
    void setCurves(const QList<CurveStyle>& curves);
    QList<CurveStyle> curves() const;
    // The events of a run: marked at their places while the group shows events.
    void setEvents(const QString& runId, const std::vector<PlotEvent>& events);
    // Marks a run as running: it ends in a disc.
    void setLive(const QString& runId, bool live);

    // Lets the user drag the end of this run's first curve to another value, with valueSteered(); empty: no run's.
    void setSteered(const QString& runId);

    // Shown in the plot until the first point: the start checklist, or with no steps the words
    // set by setEmptyText().
    void setChecklist(const QList<ChecklistStep>& steps);
    void setEmptyText(const QString& what, const QString& why);

    // This card's own y axis; empty settings follow the group.
    void setAxes(const ChartAxes& axes);
    ChartAxes axes() const;
    void setYMode(YMode mode);
    // The y zoom, suspended while it contains no points; nothing: the full range.
    std::optional<std::pair<double, double>> yZoom() const;
    void setYZoom(const std::optional<std::pair<double, double>>& range);
    // The visible y range, and whether its scale is logarithmic.
    AxisRange yRange() const;
    // The run and step of the point nearest to a place in the plot. Empty run: the place is outside, or there is no
    // curve.
    std::pair<QString, qint64> pointAt(const QPoint& position) const;

    // Every point of the shown runs, by run and then series.
    std::vector<CsvSeries> points() const;
    // As ChartWidget; the points are those of the shown runs: run,name,series,step,epoch,time_s,value.
    void exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) override;
    void exportCsv(const QString& path, ExportDone done) override;

    // The values at the crosshair, else the last ones, and the marked events.
    QString spokenValue() const override;
    QString spokenSummary() const override;

    // Redraws at once instead of with the next frame; for tests and screenshots.
    void refreshNow();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // The text of an empty chart wraps, but a chart accepts any height: the board decides the height of a row, not the
    // text.
    bool hasHeightForWidth() const override { return false; }

Q_SIGNALS:
    // The user chose "Expand" (or pressed it again to shrink).
    void expandRequested();
    // The export button was pressed; the page asks for a file and calls an export above.
    void exportRequested();
    // The end of a run's curve was dragged to a value, or moved there by keys.
    void valueSteered(const QString& runId, double value);
    // The header's "log" button gave it a y axis of its own.
    void axesChanged();
    void yZoomed(); // by the user
    // The menu button, a right click or the menu key; `position`: place for the menu, in screen pixels.
    void menuRequested(const QPoint& position);
    // The header is dragged: `position` on the screen; `dropped` once the button is released.
    void headerDragged(const QPoint& position, bool dropped);
    void headerDragCancelled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    void connectGroup();
    void connectCanvas();
    void connectHeader();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::ui
