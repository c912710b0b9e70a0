// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/widgets/layout.h"

class QAction;
class QSlider;

namespace trainyard::ui {

class SegmentedControl;

// The drawing options of the curves: x, y, smoothing, band, events, live. Every choice is remembered.
class CurvesToolbar : public QWidget {
    Q_OBJECT
public:
    explicit CurvesToolbar(PlotGroup& group, QWidget* parent = nullptr);
    // The toolbar's own settings, kept between starts.
    void restore();
    // The choices as a view without its layout, and back; choices set this way are remembered like the user's own.
    ChartView choices() const;
    void setChoices(const ChartView& view);
    void toggleLive();
    void toggleLogX();
    void toggleBand();
    void toggleEvents();

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void choicesChanged();

private:
    void build();
    QToolButton* addToggle(QAction* action, const char* id, const QString& shortName);
    void connectChoices();
    void fitWidth();
    void showSmoothing();
    void showLive();

    PlotGroup& m_group;
    SegmentedControl *m_x, *m_y;
    QAction *m_logX, *m_band, *m_events;
    QList<QToolButton*> m_toggles; // the three toggles, and the button whose menu holds them where space is short
    QToolButton* m_bandButton;
    QToolButton* m_more;
    QSlider* m_smooth;
    Label *m_smoothLabel, *m_weight;
    QToolButton* m_live;
};

// Slider position 0..1000 <-> smoothing weight 0..0.999, fine where it matters.
double weightOfSlider(int position);
// Writes the weight of a slider at its side, and for screen readers.
void showWeight(QSlider& slider, Label& beside);
int sliderOfWeight(double weight);

} // namespace trainyard::ui
