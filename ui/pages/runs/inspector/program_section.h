// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/inspector/run_sections.h"

namespace trainyard::ui {

// What a program run runs: script, words, interpreter and folder. Hidden for other runs.
class ProgramSection : public RunSection {
    Q_OBJECT
public:
    explicit ProgramSection(Workbench& bench);

private:
    void showRun(const RunItem& run) override;

    Label* m_command;
    PairList* m_pairs;
    QString m_shown; // the run file that is shown
};

} // namespace trainyard::ui
