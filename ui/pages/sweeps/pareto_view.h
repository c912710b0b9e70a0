// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

class QComboBox;

namespace trainyard::ui {

// The score of the filtered trials against another series, and the front of those that no other beats in both
// (sweep::paretoOf).
class ParetoView final : public PlotView {
    Q_OBJECT
public:
    explicit ParetoView(const SweepContext& context, QWidget* parent = nullptr);
    QWidget* options() override;

protected:
    void draw() override;

private:
    void fillSeries();

    QComboBox* m_series;
    QString m_second; // the second series of the sweep shown
};

} // namespace trainyard::ui
