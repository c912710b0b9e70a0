// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/disk_forecast.h"
#include "ui/models/feed/feed_types.h"
#include "ui/series/plot_event.h"
#include "ui/series/series_store.h"

#include <QObject>

namespace trainyard::ui {

class FeedWorker;

// What the window knows of the workspace: all runs, and of the watched and active ones their state,
// checkpoints, workers and log. Everything is read on a thread of its own; signals arrive in batches, at
// most one every 25 ms. GUI thread.
class WorkspaceFeed : public QObject {
    Q_OBJECT
public:
    explicit WorkspaceFeed(store::Workspace workspace, QObject* parent = nullptr);
    ~WorkspaceFeed() override;
    void start();

    const store::Workspace& workspace() const { return m_workspace; }
    // The runs whose points are wanted; active runs are always followed.
    void watch(const QStringList& runs);
    // The points of the followed runs, and of those that were watched lately.
    SeriesStore& series() { return m_series; }
    const SeriesStore& series() const { return m_series; }
    // How often a run was read from the workspace from its start. It is once, unless too many others came between.
    int runsOpened() const;

    bool loaded() const { return m_loaded; }                       // the first list of runs has arrived
    const std::vector<RunItemPtr>& runs() const { return m_runs; } // newest first
    RunItemPtr run(const QString& id) const { return m_byId.value(id); }
    const std::vector<store::SweepRow>& sweeps() const { return m_sweeps; }
    Residence homeOf(const QString& sweep) const { return m_sweepHomes.value(sweep); }
    const queue::QueueView& queue() const { return m_queue; }
    int countOf(wire::RunStatus status) const;
    int activeCount() const;

    // Of followed runs; null or empty for the others.
    const wire::RunState* state(const QString& run) const;
    const std::vector<store::CheckpointRow>& checkpoints(const QString& run) const;
    // Those of them whose files are on this computer: of a run that lives on a host, those that were fetched.
    const std::vector<store::CheckpointRow>& checkpointsHere(const QString& run) const;
    // It has no checkpoint; of a run that lives elsewhere that is never certain.
    bool isFresh(const RunItem& run) const { return run.home.isHere() && checkpoints(run.id).empty(); }
    // The file of one was fetched.
    void lookForFiles(const QString& run);
    const std::vector<wire::WorkerState>& workers(const QString& run) const;
    const std::vector<wire::LogLine>& log(const QString& run) const;
    // Whether there is room for the checkpoints of a followed run; nothing before its first one.
    std::optional<run::DiskForecast> diskForecast(const QString& run) const;
    // What changed its curves and is marked in charts, in the order in which it happened.
    const std::vector<PlotEvent>& events(const QString& run) const;
    QString notice(const QString& run) const; // store::RunQuery::notice()
    // 0..1 of the planned steps; live when the run is followed.
    double progress(const RunItem& run) const;
    // The course of the run's score in some kSparkPoints values; live when the run is followed.
    QList<double> spark(const RunItem& run) const;
    wire::RunStatus status(const RunItem& run) const;

Q_SIGNALS:
    // Of the list: runs() and run() have it already. Not of the points, nor of the live state.
    void runsChanged(const trainyard::ui::RunsDelta& delta);
    void sweepsChanged();
    void mirrorWanted(); // something lives elsewhere
    void queueChanged(); // or what its entries wait for
    void stateChanged(const QString& run);
    void checkpointsChanged(const QString& run);
    void anyCheckpointsChanged(); // of a run that is followed or of another
    void eventsChanged(const QString& run);
    void logReset(const QString& run);
    void logArrived(const QString& run, int count);
    // A run reached a final state while the window was open.
    void runEnded(const QString& run);
    void problem(const QString& text);

private:
    struct Live {
        std::optional<wire::RunState> state;
        std::vector<store::CheckpointRow> checkpoints, here;
        std::vector<wire::WorkerState> workers;
        std::vector<wire::LogLine> log;
        std::vector<PlotEvent> events;
        std::string notice;
    };
    void apply();
    QStringList applyRuns(const QHash<QString, RunItemPtr>& runs, RunsDelta& delta);
    void apply(RunUpdate& update);
    void setCheckpoints(const QString& run, std::vector<store::CheckpointRow> rows);
    void setEvents(const QString& run, const std::vector<store::RunEventRow>& rows);

    store::Workspace m_workspace;
    FeedWorker* m_worker;
    bool m_loaded = false;
    std::vector<RunItemPtr> m_runs;
    QHash<QString, RunItemPtr> m_byId;
    std::vector<store::SweepRow> m_sweeps;
    QHash<QString, Residence> m_sweepHomes;
    queue::QueueView m_queue;
    std::map<QString, Live> m_live;
    QSet<QString> m_watched;
    SeriesStore m_series;
};

} // namespace trainyard::ui
