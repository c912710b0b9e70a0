// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

namespace trainyard::ui {

// The scheduler's view of the trials: their scores at each rung, and the trials it stopped there, with the reason.
class RungsView final : public PlotView {
    Q_OBJECT
public:
    explicit RungsView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

} // namespace trainyard::ui
