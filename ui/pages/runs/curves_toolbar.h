// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_group.h"
#include "ui/widgets/layout.h"

class QSlider;

namespace trainyard::ui {

class SegmentedControl;

// How the curves are drawn: x, y, smoothing, live, export.
class CurvesToolbar : public QWidget {
    Q_OBJECT
public:
    explicit CurvesToolbar(PlotGroup& group, QWidget* parent = nullptr);
    // The toolbar's own settings, kept between starts.
    void restore();
    void toggleLive();

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void exportRequested(const QPoint& globalPosition);

private:
    void showSmoothing();
    void showLive();

    PlotGroup& m_group;
    SegmentedControl *m_x, *m_y;
    QSlider* m_smooth;
    Label *m_smoothLabel, *m_weight;
    QToolButton* m_live;
};

// Slider position 0..1000 <-> smoothing weight 0..0.999, fine where it matters.
double weightOfSlider(int position);
int sliderOfWeight(double weight);

} // namespace trainyard::ui
