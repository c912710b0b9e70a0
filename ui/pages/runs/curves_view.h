// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/plots/plot_group.h"
#include "ui/widgets/layout.h"

#include <map>

class QGridLayout;
class QScrollArea;

namespace trainyard::ui {

class CurvesToolbar;
class MetricCard;
class OverviewStrip;

// The curves of the selected runs: one card for each series, one x for all.
class CurvesView : public QWidget {
    Q_OBJECT
public:
    explicit CurvesView(Workbench& bench, QWidget* parent = nullptr);

    PlotGroup& group() { return m_group; }
    void exportMenu(const QPoint& globalPosition);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void connectFeed();
    void connectGroup();
    void showSelection();
    MetricCard* cardFor(const QString& series);
    void arrange();
    void showChecklist();
    void showLiveEnds();
    QList<CurveStyle> curves() const; // of the drawn runs
    void showSeries(const QString& run, const QString& series);
    void refreshStrip();

    Workbench& m_bench;
    PlotGroup m_group;
    CurvesToolbar* m_toolbar;
    QScrollArea* m_scroll;
    QWidget* m_canvas;
    QGridLayout* m_grid;
    OverviewStrip* m_strip;
    std::map<QString, MetricCard*> m_cards; // by series
    QString m_expanded;
    QStringList m_drawn;
    QTimer m_stripTimer;
};

// Where a series stands among the cards: the four that tell most first.
int seriesRank(const QString& series);

} // namespace trainyard::ui
