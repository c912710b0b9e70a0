// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"
#include "ui/models/desktop/system_stats.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/models/new_run/preview.h"

#include <QCoreApplication>

namespace trainyard::ui {

// What the New run sheet knows of the run as it stands.
struct PreviewFacts {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::PreviewFacts)
public:
    RunForm::State state;
    std::optional<Preview> preview; // the worker's last answer
    QString refused;                // why it refuses, whole
    bool busy = false;              // it is being asked again: its last answer is of other settings
    // The share of the run's length that the checkpoint it begins with has behind it; 0: it begins anew.
    double done = 0;

    const Preview* current() const { return preview && !busy ? &*preview : nullptr; } // of the run as it stands
    // Else this computer's memory and cores say nothing.
    bool trainsHere() const;
    bool isOpenEnded() const { return state.sweep && spec::isOpenEnded(*state.sweep); }
    // Why the checkpoint that the run would begin with does not fit; empty: it fits, or is not known yet.
    QString misfit() const;
};

// One line of "Will it run?".
struct RunCheck {
    enum State { Ok, Wait, Wrong, Unknown };
    State state = Ok;
    QString name, detail;
};

// Rule: whether a run as it stands in the New run sheet would run, line by line.
class RunChecks {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::RunChecks)
public:
    // `facts` and `hosts` outlive it; `activeRuns` of this computer.
    RunChecks(const PreviewFacts& facts, const HostsCheck& hosts, const SystemLoad& load, int activeRuns)
        : m_facts(facts), m_hosts(hosts), m_load(load), m_activeRuns(activeRuns) {}

    QList<RunCheck> all() const;

private:
    QString unknownYet() const;
    void checkData(QList<RunCheck>& list) const;
    RunCheck checkOfMemory() const;
    RunCheck checkOfDisk() const;
    RunCheck checkOfDevices() const;
    RunCheck checkOfPorts() const;

    const PreviewFacts& m_facts;
    const HostsCheck& m_hosts;
    SystemLoad m_load;
    int m_activeRuns;
};

} // namespace trainyard::ui
