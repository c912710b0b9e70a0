// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trial_filter.h"
#include "ui/models/workbench.h"
#include "ui/plots/chart/plot.h"

#include <QStackedLayout>

namespace trainyard::ui {

// Shared by every part of the page.
struct SweepContext {
    Workbench& bench;
    const TrialList& trials;
    TrialFilter& filter;
};

// One view of a sweep's trials. It redraws when it is visible and something has changed.
class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(const SweepContext& context, QWidget* parent = nullptr);

    // The trials or the filter changed.
    void refresh();
    // The plot that the export menu writes; null: none.
    virtual ChartWidget* chart() const = 0;
    // The view's own controls, beside the choice of views; null: none.
    virtual QWidget* options() { return nullptr; }
    // Another sweep is shown: ends a zoom.
    virtual void restart() {}

protected:
    virtual void draw() = 0;
    void showEvent(QShowEvent* event) override;
    // Words and colours of a trial that several views use.
    QString nameOf(const Trial& trial) const;
    static QColor colorOf(const Trial& trial);
    // The range of scores that colours span, without the worst tenth: one failed trial must not make all others look
    // alike.
    struct ScoreSpan {
        double worst = 0, best = 1;
        double place(double score) const; // from 0 to 1; clamped at the ends
        double score(double place) const { return worst + place * (best - worst); }
    };
    ScoreSpan scoreSpan() const;
    // 0 for the worst score to 1 for the best, by trial of the list; without a score 0.
    std::vector<double> qualities() const;

    SweepContext m_context;

private:
    bool m_stale = true;
};

// A view that is a plot in a card, with words in its place while it has nothing to show.
class PlotView : public SweepView {
    Q_OBJECT
public:
    explicit PlotView(const SweepContext& context, QWidget* parent = nullptr);
    ChartWidget* chart() const override { return m_plot; }
    void restart() override { m_plot->fit(); }

protected:
    Plot* plot() const { return m_plot; }
    void show(PlotLayers layers);
    void showNothing(const QString& what, const QString& why);

private:
    Plot* m_plot;
    QStackedLayout* m_stack;
    QWidget* m_nothing = nullptr;
};

} // namespace trainyard::ui
