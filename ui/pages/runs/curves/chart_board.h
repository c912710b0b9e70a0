// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/series/series_store.h"

#include <QWidget>

#include <map>

class QGridLayout;

namespace trainyard::ui {

class MetricCard;

// A grid of charts in a given order. Dragging a chart's header, or Alt with an arrow key, requests another place; the
// board itself never changes the order. GUI thread only.
class ChartBoard : public QWidget {
    Q_OBJECT
public:
    // Both must outlive the board.
    ChartBoard(PlotGroup& group, SeriesStore& store, QWidget* parent = nullptr);

    // Shows these charts in this order. A chart that was shown before keeps its zoom.
    void setCharts(const QList<ChartCard>& charts);
    // The runs that every chart draws.
    void setRuns(const QList<CurveStyle>& runs);
    // The y zoom of each chart, by id; a chart that does not exist yet gets its zoom once it does.
    void setZooms(const QMap<QString, std::pair<double, double>>& zooms);
    QMap<QString, std::pair<double, double>> zooms() const;
    // The visible part of the board. As many columns of charts as fit its width, and two rows of them fill its height;
    // scrolling shows the others.
    void setRoom(const QSize& room);
    // How many charts stand side by side, as far as they fit; 0: as many as fit.
    void setColumns(int columns);
    // Shows one chart alone; a second call, or shrink(), shows all again.
    void toggleExpanded(const QString& id);
    bool shrink();

    // In the order of the board, including those behind an expanded one.
    QList<MetricCard*> cards() const;
    MetricCard* card(const QString& id) const; // null: not shown
    QString idOf(const MetricCard* card) const { return m_ids.value(card); }

Q_SIGNALS:
    // Put the chart in front of another one, or at the end when that is empty.
    void moveRequested(const QString& id, const QString& before);
    void moveByRequested(const QString& id, int places);
    void axesRequested(const QString& id, const trainyard::ui::ChartAxes& axes);
    void zoomed(); // the user zoomed a chart in y
    // `position` is where the menu belongs, on the screen.
    void menuRequested(const QString& id, const QPoint& position);
    void exportRequested(trainyard::ui::MetricCard* card);
    void valueSteered(const QString& run, double value); // of the first series of a chart
    // Place of a dragged chart, in the board's pixels.
    void draggedTo(const QPoint& position);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    MetricCard* make(const ChartCard& chart);
    void arrange();
    int systemStart(const QList<MetricCard*>& shown) const;
    void drag(const QString& id, const QPoint& position, bool dropped);
    int slotAt(const QPoint& position) const;
    void showSlot(int slot);

    PlotGroup& m_group;
    SeriesStore& m_store;
    QGridLayout* m_grid;
    QWidget* m_mark; // where a dragged chart would land
    QWidget* m_systemHeading;
    QList<ChartCard> m_charts;
    QList<CurveStyle> m_runs;
    std::map<QString, MetricCard*> m_cards; // by id, including charts not shown now
    QHash<const MetricCard*, QString> m_ids;
    QMap<QString, std::pair<double, double>> m_zoomsToCome; // for charts that do not exist yet
    QString m_expanded;
    QSize m_room;
    int m_columns = 1, m_wantedColumns;
};

} // namespace trainyard::ui
