// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

class QComboBox;
class QPushButton;

namespace trainyard::ui {

// A slice: one parameter of the trials against their score.
class ScatterView final : public PlotView {
    Q_OBJECT
public:
    explicit ScatterView(const SweepContext& context, QWidget* parent = nullptr);
    QWidget* options() override { return m_options; }

protected:
    void draw() override;

private:
    QWidget* m_options;
    QComboBox* m_axis;
    QPushButton *m_logX, *m_logY;
};

// A choice among the parameters that a sweep varies.
QComboBox* axisChoice(const QString& accessibleName);
// Refills the choice if the parameters changed. Keeps the selection, else selects the learning rate, else the
// `standard`-th.
void fillAxisChoice(QComboBox& choice, const std::vector<spec::Axis>& axes, int standard);

} // namespace trainyard::ui
