// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/chart.h"
#include "ui/plots/curve_style.h"
#include "ui/widgets/checklist.h"

#include <QList>
#include <QPointer>

#include <memory>

namespace trainyard::ui {

class PlotGroup;
class SeriesStore;

// One metric of many runs as live curves in a card: header with the values at the crosshair,
// plot, tooltip. The points are those of the store; what is drawn is reduced from all of them for
// each zoom. GUI thread only.
class MetricCard : public Chart {
    Q_OBJECT
public:
    // `group` must outlive the card, `store` every call of setCurves().
    MetricCard(const QString& metric, PlotGroup* group, SeriesStore* store, QWidget* parent = nullptr);
    ~MetricCard() override;

    QString metric() const;
    QString title() const override { return metric(); }
    // Words in text3 after the title, such as "all ranks".
    void setNote(const QString& note);

    // Which runs are drawn, in this order. Their points are redrawn as they change, at most every
    // 20 ms, 100 ms for loads of more than 10,000 points.
    void setCurves(const QList<CurveStyle>& curves);
    QList<CurveStyle> curves() const;
    // Marks a run as running: it ends in a disc.
    void setLive(const QString& runId, bool live);

    // Shown in the plot until the first point: the start checklist, or with no steps the words
    // set by setEmptyText().
    void setChecklist(const QList<ChecklistStep>& steps);
    void setEmptyText(const QString& what, const QString& why);

    // What y mode and scale the card ended up with in the last frame.
    // This card's own y mode; without a call it follows the group.
    void setYMode(YMode mode);

    // As Chart; the points are those of the shown runs: run,name,series,step,epoch,time_s,value.
    void exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) override;
    void exportCsv(const QString& path, ExportDone done) override;

    // Redraws at once instead of with the next frame; for tests and screenshots.
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
