// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"
#include "engine/store/trial_log.h"
#include "engine/sweep/results/adoption_record.h"
#include "engine/sweep/values/steering.h"

#include <QObject>

#include <map>

namespace trainyard::ui {

// A trial's loss at its scheduler's check or at its end; smaller is better.
struct TrialReport {
    int trial = -1;
    double t = 0, loss = 0; // epochs or steps
};

// A sweep's record besides its runs: reports and decisions of its scheduler. Read on a pool thread, each event once.
// GUI thread.
class SweepLog : public QObject {
    Q_OBJECT
public:
    explicit SweepLog(store::Workspace workspace, QObject* parent = nullptr);

    void setSweep(const QString& sweep);
    // Reads the new events.
    void refresh();
    const std::vector<TrialReport>& reports() const { return m_reports; }       // in order
    const std::vector<sweep::Steering>& requests() const { return m_requests; } // of people, in order
    const store::TrialDecisionRow* decision(int trial) const;                   // null: none
    std::vector<sweep::Adoption> adoptions(int trial) const;                    // in order

Q_SIGNALS:
    void changed();

private:
    struct News {
        std::vector<store::TrialEventRow> events;
        std::vector<store::TrialDecisionRow> decisions;
    };
    void apply(News news);

    store::Workspace m_workspace;
    QString m_sweep;
    std::vector<TrialReport> m_reports;
    std::vector<sweep::Steering> m_requests;
    std::map<int, store::TrialDecisionRow> m_decisions;
    std::map<int, std::vector<sweep::Adoption>> m_adoptions;
    std::int64_t m_last = -1; // number of the newest known event
    bool m_reading = false, m_again = false;
};

} // namespace trainyard::ui
