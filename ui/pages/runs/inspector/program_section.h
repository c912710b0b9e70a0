// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/program_spec.h"
#include "ui/models/runs/program_origin.h"
#include "ui/pages/runs/inspector/run_sections.h"

namespace trainyard::ui {

// What a program run runs: script, words, interpreter, folder, and what its record says of Python, packages and commit.
// Hidden for other runs.
class ProgramSection : public RunSection {
    Q_OBJECT
public:
    explicit ProgramSection(Workbench& bench);

private:
    void showRun(const RunItem& run) override;
    void showPairs(const spec::Program& program, const ProgramOrigin& origin);
    void lookForRecord(const std::string& folder, const spec::Program& program);
    void showPackages();

    Label* m_command;
    PairList *m_pairs, *m_packages;
    QPushButton* m_more; // shows the packages
    ProgramOrigin m_origin;
    int m_tries = 0; // to find the record
    QString m_shown; // the run file and the status that are shown
};

} // namespace trainyard::ui
