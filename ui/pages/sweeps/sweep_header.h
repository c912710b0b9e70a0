// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class SplitButton;
class StatusChip;
class SweepControls;

// The line above a sweep's plots: its name, status and progress, and what can be done with it.
class SweepHeader : public Surface {
    Q_OBJECT
public:
    explicit SweepHeader(const SweepContext& context, QWidget* parent = nullptr);
    // `done` of the `known` trials that were begun are over.
    void setSweep(const store::SweepRow& sweep, std::size_t done, std::size_t known);

private:
    void buildStop();

    Workbench& m_bench;
    QString m_sweep;
    Label *m_title, *m_about;
    StatusChip* m_chip;
    SweepControls* m_controls;
    SplitButton* m_stop;
};

} // namespace trainyard::ui
