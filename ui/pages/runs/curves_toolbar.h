// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_group.h"
#include "ui/widgets/layout.h"

class QAction;
class QSlider;

namespace trainyard::ui {

class SegmentedControl;

// How the curves are drawn: x, y, smoothing, band, live, export. Every choice is kept between starts.
class CurvesToolbar : public QWidget {
    Q_OBJECT
public:
    explicit CurvesToolbar(PlotGroup& group, QWidget* parent = nullptr);
    // The toolbar's own settings, kept between starts.
    void restore();
    void toggleLive();
    void toggleLogX();
    void toggleBand();

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void exportRequested(const QPoint& globalPosition);

private:
    void build();
    QToolButton* addToggle(QAction* action, const char* id, const QString& shortName);
    void connectChoices();
    void fitWidth();
    void showSmoothing();
    void showLive();

    PlotGroup& m_group;
    SegmentedControl *m_x, *m_y;
    QAction *m_logX, *m_band;
    QList<QToolButton*> m_toggles; // of both, and the button whose menu has them when there is no room
    QToolButton* m_more;
    QSlider* m_smooth;
    Label *m_smoothLabel, *m_weight;
    QToolButton *m_live, *m_export;
};

// Slider position 0..1000 <-> smoothing weight 0..0.999, fine where it matters.
double weightOfSlider(int position);
int sliderOfWeight(double weight);

} // namespace trainyard::ui
