// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

namespace trainyard::ui {

// How much each parameter decides whether a trial is among the best (sweep::importanceOf), over the filtered trials.
class ImportanceView final : public PlotView {
    Q_OBJECT
public:
    explicit ImportanceView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

} // namespace trainyard::ui
