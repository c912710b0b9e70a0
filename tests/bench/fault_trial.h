// SPDX-License-Identifier: GPL-3.0-or-later
// One run on hosts of the lab that something is done to, and what that costs it. Whatever does not happen in time is
// thrown as std::runtime_error.
#pragma once

#include "engine/store/run_query.h"
#include "tests/ssh/lab_runs.h"

#include <functional>
#include <memory>
#include <optional>

namespace trainyard::bench {

// Seconds, and nothing where there is none.
struct FaultCost {
    std::optional<double> noticed; // until the supervisor says something of it
    std::optional<double> again;   // until the next step after the silence that follows it
    std::optional<double> pause;   // between two steps, by the clock of rank 0
    std::optional<double> command; // of the terminal program that was to stop or kill the run
    std::int64_t lost = 0;         // steps that were taken, and had to be taken again
    std::int64_t points = 0, steps = 0;
    bool whole = false; // one point for each step
    bool equal = false; // each is that of a run that nothing disturbs, bit for bit
    double lastLoss = 0;
};

class FaultTrial {
public:
    struct Start {
        const char* name;
        QString file;           // of the run
        QStringList where = {}; // more words for `run`
        bool onTerminal = false;
    };
    // Waits until it has trained for some time.
    FaultTrial(const test::LabRuns& runs, const Start& start);
    ~FaultTrial(); // kills what still trains

    const QString& run() const { return m_run; }
    std::int64_t reached() const { return m_reached; }
    store::RunRow row() const;
    std::int64_t newestCheckpoint() const; // its step; 0: there is none

    void hurt(const std::function<void()>& how); // the fault: times are counted from its beginning
    void killTerminal();
    // Both look on meanwhile.
    void wait(double seconds);
    void waitUntil(const char* what, const std::function<bool()>& condition, double seconds = 120);
    void waitForSteps(std::int64_t more); // from the last one on
    void waitForEnd(double seconds = 600);
    void recovered(); // the next fault may come: the longest time until it trained again stands
    // stop, kill; noted as the cost of the command.
    void command(const QStringList& words);
    void resume(); // what has ended early; it goes on by itself from then on
    // Once it is over: its points, beside those of the undisturbed run.
    FaultCost cost(const std::vector<wire::Point>& undisturbed);

private:
    void look();
    void noteSilence();
    void countLost();

    const test::LabRuns& m_runs;
    QString m_run;
    std::unique_ptr<QProcess> m_terminal;
    std::unique_ptr<store::RunQuery> m_query;
    FaultCost m_cost;
    std::int64_t m_reached = 0, m_hurtMs = 0, m_heardMs = 0, m_events = 0;
    std::int64_t m_silence = 0, m_silenceEndMs = 0; // the longest since the fault, in milliseconds
    std::int64_t m_hurtAt = 0;                      // the step of the first fault
};

} // namespace trainyard::bench
