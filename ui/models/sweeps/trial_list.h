// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/results/sweep_result.h"
#include "ui/models/feed/workspace_feed.h"
#include "ui/models/sweeps/sweep_log.h"

#include <QTimer>

namespace trainyard::ui {

// One trial of a sweep.
struct Trial {
    RunItemPtr run;
    spec::Params params;
    double score = std::numeric_limits<double>::quiet_NaN();  // the best value of the sweep's score
    double second = std::numeric_limits<double>::quiet_NaN(); // of the second series, where trials are compared by two
    bool onFront = false;                                     // by two series: no other trial beats it in both
    std::optional<store::TrialDecisionRow> decision{};        // why its scheduler stopped it or made it pause
    std::vector<sweep::Adoption> adoptions{};                 // of the states of other trials, in their order
    sweep::Standing standing{};                               // decides its rank

    // A parameter as text ("–" if the trial lacks it) and as a number (NaN if it is not one).
    QString text(const std::string& path) const;
    double number(const std::string& path) const;
};

// The trials of one sweep in the engine's order (sweep::rank): best first, failed ones and those without a score last.
// Parses each run once for each change. GUI thread.
class TrialList : public QObject {
    Q_OBJECT
public:
    explicit TrialList(WorkspaceFeed& feed, QObject* parent = nullptr);

    void setSweep(const QString& sweep);
    QString sweep() const { return m_sweep; }
    const store::SweepRow* row() const; // null: the feed does not have it yet
    const std::vector<Trial>& trials() const { return m_trials; }
    // The fields that the sweep varies, in the order of its file.
    const std::vector<spec::Axis>& axes() const { return m_axes; }
    // Best first; empty where each configuration has one seed.
    const std::vector<sweep::ConfigurationResult>& configurations() const { return m_configurations; }
    QString slotsText() const; // the number of slots and the reason (sweep::describe); empty: the sweep cannot be read
    int slots() const;         // trials side by side, set by the sweep file or a person; 0: as the cores allow
    int revision() const { return m_revision; }              // changes with every change of the list
    const Trial* best() const;                               // the engine's best trial; null when there is none
    const sweep::Scores& scores() const { return m_scores; } // of the sweep file's scoreBy
    QString scoreSeries() const { return QString::fromStdString(m_scores.first.series); }
    QString secondSeries() const; // empty: trials are compared by one series
    spec::Better better() const { return m_scores.first.better; }
    int front() const { return m_front; }          // how many trials are on the front of two series
    bool countsEpochs() const { return m_epochs; } // the scheduler's t counts epochs; else steps
    const SweepLog& log() const { return m_log; }
    int indexOf(const QString& run) const { return m_byRun.value(run, -1); } // into trials()

    // Why the scheduler stopped or paused it: short for a table cell, and in full; empty: it did not.
    QString reason(const Trial& trial) const;
    QString fullReason(const Trial& trial) const; // with the states it has adopted
    // The trial whose state it adopted last; empty: none.
    QString lineage(const Trial& trial) const;
    // Its status in words, with the reason where there is one.
    QString statusText(const Trial& trial) const;

Q_SIGNALS:
    void sweepChanged(); // another sweep is shown
    void changed();      // its trials, their order or their log

private:
    struct Known {
        RunItemPtr run;
        spec::Params params;
        sweep::TrialScore score;
    };
    void take(const RunsDelta& delta);
    void readSweep();
    void learn(const RunItemPtr& run);
    void refreshSoon();
    void refresh();

    WorkspaceFeed& m_feed;
    SweepLog m_log;
    QString m_sweep;
    std::string m_sweepJson; // the text that score and axes were read from
    spec::SweepSpec m_spec;
    sweep::Scores m_scores;
    int m_front = 0;
    bool m_epochs = true, m_hasBest = false;
    int m_revision = 0;
    int m_workers = 0; // of a trial; 0: unknown
    std::vector<spec::Axis> m_axes;
    QHash<QString, Known> m_known;
    std::vector<Trial> m_trials;
    std::vector<sweep::ConfigurationResult> m_configurations;
    QHash<QString, int> m_byRun;
    QTimer m_timer;
};

} // namespace trainyard::ui
