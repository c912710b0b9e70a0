// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/program/program_form.h"
#include "ui/models/workbench.h"
#include "ui/new_run/run_checks.h"

namespace trainyard::ui {

class CheckCard;

// The right side of the New run sheet for a program: its arguments, and whether it will run.
class ProgramPane : public QWidget {
    Q_OBJECT
public:
    // Takes the form's arguments.
    ProgramPane(const Workbench& bench, ProgramForm& form, QWidget* parent = nullptr);

    void setState(const SettingsForm::State& state);
    const ProgramFacts& facts() const { return m_program; }

private:
    void learn(const SettingsForm::State& state);

    ProgramForm& m_form;
    PreviewFacts m_facts;
    ProgramFacts m_program;
    ProgramLooker m_looker;
    CheckCard* m_check;
};

} // namespace trainyard::ui
