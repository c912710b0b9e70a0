// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"
#include "ui/models/desktop/system_stats.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/models/new_run/preview.h"
#include "ui/models/new_run/program_look.h"

#include <QCoreApplication>

namespace trainyard::ui {

// The New run sheet's facts about the current run.
struct PreviewFacts {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::PreviewFacts)
public:
    RunForm::State state;
    std::optional<Preview> preview; // the worker's last answer
    QString refused;                // its full refusal
    bool isRefusedAtField = false;  // the form shows it
    bool busy = false;              // it is being asked again: its last answer belongs to other settings
    // The share of the run's length that its starting checkpoint has already trained; 0: from scratch.
    double done = 0;

    const Preview* current() const { return preview && !busy ? &*preview : nullptr; } // about the current run
    // If not, this computer's memory and cores do not matter.
    bool trainsHere() const;
    bool isOpenEnded() const { return state.sweep && spec::isOpenEnded(*state.sweep); }
    // The reason that the starting checkpoint does not fit; empty: it fits, or is not known yet.
    QString misfit() const;
};

// The New run sheet's facts about the program in it.
struct ProgramFacts {
    ProgramLook look;
    bool busy = false; // it is being looked at: `look` belongs to other settings
    QString resume;    // the words that a restart adds; empty: it begins from the beginning
    QString shared;    // the argument by which its trials would write into one folder; empty: none, or not known
};

// One line of "Will it run?".
struct RunCheck {
    enum State { Ok, Wait, Wrong, Unknown };
    State state = Ok;
    QString name, detail;
};

// Rule: whether the run in the New run sheet would run, line by line.
class RunChecks {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::RunChecks)
public:
    // `facts` and `hosts` outlive it; `activeRuns`: of this computer.
    RunChecks(const PreviewFacts& facts, const HostsCheck& hosts, const SystemLoad& load, int activeRuns)
        : m_facts(facts), m_hosts(hosts), m_load(load), m_activeRuns(activeRuns) {}

    QList<RunCheck> all() const;
    // The same for a program.
    QList<RunCheck> ofProgram(const ProgramFacts& program) const;

private:
    static QString textOf(const Preview::Weights& weights);
    QString unknownYet() const;
    void checkData(QList<RunCheck>& list) const;
    RunCheck checkOfMemory() const;
    RunCheck checkOfSettings() const;
    void checkScript(QList<RunCheck>& list, const ProgramFacts& program) const;
    RunCheck checkOfDisk() const;
    RunCheck checkOfDevices() const;
    RunCheck checkOfPorts() const;

    const PreviewFacts& m_facts;
    const HostsCheck& m_hosts;
    SystemLoad m_load;
    int m_activeRuns;
};

} // namespace trainyard::ui
