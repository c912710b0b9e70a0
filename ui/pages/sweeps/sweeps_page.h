// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/trials_model.h"
#include "ui/models/workbench.h"
#include "ui/plots/plot_group.h"
#include "ui/widgets/layout.h"

class QComboBox;
class QSplitter;
class QStackedLayout;
class QTableView;

namespace trainyard::ui {

class Card;
class MetricCard;
class ScatterPlot;
class SegmentedControl;
class Sparkline;
class SplitButton;
class StatusChip;

// The sweeps: trials, learning rate against score, their curves, and the best one.
class SweepsPage : public Surface {
    Q_OBJECT
public:
    explicit SweepsPage(Workbench& bench, QWidget* parent = nullptr);
    void show(const QString& sweep);
    using QWidget::show;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildLeft();
    QWidget* buildMiddle();
    QWidget* buildRight();
    void connectFeed();
    void listSweeps();
    void refresh();
    void selectTrials();
    void showScatter();
    void showCurves();
    void replaceCurves(); // with a card of the sweep's score
    void showBest();

    Workbench& m_bench;
    PlotGroup m_group;
    TrialsModel m_trials;
    QStackedLayout* m_stack;
    QComboBox* m_sweeps;
    QTableView* m_table;
    Label *m_title, *m_about;
    StatusChip* m_chip;
    SplitButton* m_stop;
    Card* m_scatterCard;
    ScatterPlot* m_scatter;
    SegmentedControl* m_scale;
    MetricCard* m_curves;
    QWidget* m_best;
    Label *m_bestName, *m_bestScore, *m_bestNote, *m_runnerUp;
    Sparkline* m_bestCurve;
    PairList* m_bestParams;
    QColor m_bestColor;
    QString m_wanted;
    QStringList m_selectedTrials;
};

} // namespace trainyard::ui
