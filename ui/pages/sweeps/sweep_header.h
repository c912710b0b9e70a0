// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "ui/pages/sweeps/sweep_view.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class SplitButton;
class StatusChip;
class SweepControls;

// The line above a sweep's plots: its name, status, progress and controls.
class SweepHeader : public Surface {
    Q_OBJECT
public:
    explicit SweepHeader(const SweepContext& context, QWidget* parent = nullptr);
    // `done` of the `known` trials have ended.
    void setSweep(const store::SweepRow& sweep, std::size_t done, std::size_t known);

private:
    QString withModes(QString about, const store::SweepRow& sweep);
    void buildStop();
    void nameStop(const spec::SweepSpec& sweep);

    Workbench& m_bench;
    QString m_sweep;
    std::string m_specJson{}; // the spec that m_contrary was computed from (sweep::contraryModes)
    std::vector<spec::Objective> m_contrary{};
    Label *m_title, *m_about;
    StatusChip* m_chip;
    SweepControls* m_controls;
    SplitButton* m_stop;
    QAction* m_save = nullptr; // the first of its menu
};

} // namespace trainyard::ui
