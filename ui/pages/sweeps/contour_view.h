// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

class QComboBox;

namespace trainyard::ui {

// Two parameters and, as colour, the score between the trials: a kernel average (Nadaraya 1964, Watson 1964) over the
// plane as it is drawn, blank where no trial is near.
class ContourView final : public PlotView {
    Q_OBJECT
public:
    explicit ContourView(const SweepContext& context, QWidget* parent = nullptr);
    QWidget* options() override { return m_options; }

protected:
    void draw() override;

private:
    QWidget* m_options;
    QComboBox *m_x, *m_y;
};

} // namespace trainyard::ui
