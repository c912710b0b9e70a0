// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/disk_forecast.h"
#include "ui/models/feed/feed_types.h"
#include "ui/series/plot_point.h"
#include "ui/series/series_store.h"

#include <QObject>

namespace trainyard::ui {

class FeedWorker;

// The window's view of the workspace: all runs, and for watched and active ones their state, checkpoints, workers and
// log. A thread of its own reads everything; signals come in batches, at most every 25 ms. GUI thread.
class WorkspaceFeed : public QObject {
    Q_OBJECT
public:
    explicit WorkspaceFeed(store::Workspace workspace, QObject* parent = nullptr);
    ~WorkspaceFeed() override;
    void start();

    const store::Workspace& workspace() const { return m_workspace; }
    // The runs whose points are wanted; active runs are always followed.
    void watch(const QStringList& runs);
    // Of a window that nobody sees, news comes once a second.
    void setHidden(bool hidden);
    // The points of followed and recently watched runs.
    SeriesStore& series() { return m_series; }
    const SeriesStore& series() const { return m_series; }
    // How many times a run was read from its start. Once, unless too many other runs came between.
    int runsOpened() const;

    bool loaded() const { return m_loaded; }                       // the first list of runs has arrived
    const std::vector<RunItemPtr>& runs() const { return m_runs; } // newest first
    RunItemPtr run(const QString& id) const { return m_byId.value(id); }
    const std::vector<store::SweepRow>& sweeps() const { return m_sweeps; }
    Residence homeOf(const QString& sweep) const { return m_sweepHomes.value(sweep); }
    const queue::QueueView& queue() const { return m_queue; }
    int countOf(wire::RunStatus status) const;
    int activeCount() const;

    // For followed runs; null or empty for others.
    const wire::RunState* state(const QString& run) const;
    const std::vector<store::CheckpointRow>& checkpoints(const QString& run) const;
    // The checkpoints whose files are on this computer: of a run that lives on a host, the fetched ones.
    const std::vector<store::CheckpointRow>& checkpointsHere(const QString& run) const;
    // Whether the run has no checkpoint; never certain for a run that lives elsewhere.
    bool isFresh(const RunItem& run) const { return run.home.isHere() && checkpoints(run.id).empty(); }
    // Call after a checkpoint's file was fetched.
    void lookForFiles(const QString& run);
    const std::vector<wire::WorkerState>& workers(const QString& run) const;
    const std::vector<wire::LogLine>& log(const QString& run) const;
    // Whether the disk has room for a followed run's checkpoints; nothing before its first one.
    std::optional<run::DiskForecast> diskForecast(const QString& run) const;
    // The marked events that changed a run's curves, in order.
    const std::vector<PlotEvent>& events(const QString& run) const;
    QString notice(const QString& run) const; // store::RunQuery::notice()
    // Share of the planned steps, 0 to 1; live while the run is followed.
    double progress(const RunItem& run) const;
    // The run's score over time in up to kSparkPoints values; live while the run is followed.
    QList<double> spark(const RunItem& run) const;
    wire::RunStatus status(const RunItem& run) const;

Q_SIGNALS:
    // The list changed, and runs() and run() are up to date. Not emitted for points and live state.
    void runsChanged(const trainyard::ui::RunsDelta& delta);
    void sweepsChanged();
    void mirrorWanted(); // a run or sweep lives elsewhere
    void queueChanged(); // or the reasons its entries wait
    void stateChanged(const QString& run);
    void checkpointsChanged(const QString& run);
    void anyCheckpointsChanged(); // of any run, followed or not
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
