// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/printed_choice.h"
#include "engine/run/actions/prune_checkpoints.h"
#include "ui/models/home/run_home.h"

#include <QMap>
#include <QObject>
#include <QStringList>

namespace trainyard::ui {

class BackgroundJob;
class ModelExport;

// The home for a new run: a host, a Slurm job, or this computer.
struct Destination {
    QString host{};
    std::optional<run::SlurmRequest> job{};
};

// A user's actions on runs. Every call returns at once, works in the background, and ends in done() or failed(). GUI
// thread.
class RunActions : public QObject {
    Q_OBJECT
public:
    explicit RunActions(store::Workspace workspace, QObject* parent = nullptr);

    // Signs in to hosts before a start, a resume or a fetch.
    void setSignIn(SignIn signIn) { m_signIn = std::move(signIn); }

    void start(const spec::RunSpec& spec, const run::StartOptions& options = {}, const Destination& to = {});
    void startSweep(const spec::SweepSpec& spec, const Destination& to = {});
    // Workers of a requested run that has no id yet; 0 if there is none.
    int starting() const { return m_starting; }
    void stop(const QString& run, wire::StopMode mode);
    void stopSweep(const QString& sweep, wire::StopMode mode);
    // Sends a request to a sweep, while it runs or after; done() once it is recorded.
    void steer(const QString& sweep, const sweep::Steering& asked);
    // Resumes from the last good checkpoint; `moreEpochs` beyond the plan (0: as planned).
    void resume(const QString& run, std::int64_t moreEpochs = 0);
    // The same with other settings, "path=value" each, such as spec::mayResumeWith() allows. Only `then` gets the
    // result.
    void resumeWith(const QString& run, std::int64_t moreEpochs, const std::vector<std::string>& settings,
                    const std::function<void(const Result<void>&)>& then);

    // The same from this checkpoint of a program (run::ResumeChanges::fromCheckpoint).
    void resumeFrom(const QString& run, std::int64_t checkpoint);

    // Pauses, continues, saves a checkpoint or sets another learning rate (`value`); done() once every rank has done
    // it.
    void command(const QString& run, wire::CommandKind kind, double value = 0);

    // For a run that lives on a host and has ended: brings it here with its checkpoints. For a fetched run: brings its
    // news.
    void fetch(const QString& run, const QString& name, const QString& host);
    // For a run that lives on a host: fetches the file of one checkpoint. The run stays there.
    void fetchCheckpoint(const QString& run, const QString& name, qint64 step);
    // Removes the run from the list and leaves it as it is on its host; can be undone.
    void forgetHome(const QString& run);

    // Kills a rank as a crash would, on whatever host. Only `then` gets the result.
    void rehearseLoss(const QString& run, int rank, const Home::Then<run::Rehearsal>& then);

    // Edits of runs. One undo step takes back each call, whatever the number of runs.
    void rename(const QString& run, const QString& name);
    void setTags(const QString& run, const QString& tags);
    void setNotes(const QString& run, const QString& notes);
    // `color`: in the format of store::readColorChoice. `colors`: by run id.
    void setColor(const QStringList& runs, const QString& color);
    void setColors(const QMap<QString, QString>& colors);
    void setArchived(const QStringList& runs, bool archived);
    void setArchived(const QString& run, bool archived) { setArchived(QStringList{run}, archived); }
    // `told` is the message after success.
    void edit(const std::vector<run::RunEdit>& edits, const QString& told);
    // Deletes archived runs with their files; cannot be undone.
    void deleteForGood(const QStringList& runs);

    // Takes a name that a program prints as a metric, or drops it (run::choosePrinted); can be undone.
    void choosePrinted(const QString& run, const QString& name, program::PrintedChoice choice);

    // Pins checkpoints by CheckpointRow::id, so that nothing deletes them, or unpins them; can be undone.
    void setPinned(const std::vector<std::int64_t>& checkpoints, bool pinned);
    // Deletes checkpoints for good.
    void prune(const run::PrunePlan& plan);
    // Writes a checkpoint's model as "safetensors", "state-dict" or "torchscript" through the worker program.
    void exportCheckpoint(const QString& checkpoint, const QString& format, const QString& out);
    // Writes all points of a run as a TensorBoard event file into a folder.
    void exportTensorBoard(const QString& run, const QString& folder);
    // Writes all points of a run: series,step,epoch,time_s,value.
    void exportCsv(const QString& run, const QString& out);

Q_SIGNALS:
    void startingChanged();
    void runStarted(const QString& run);
    void sweepStarted(const QString& sweep);
    // A line about the result; `undo` reverts it, or is empty.
    void done(const QString& text, const std::function<void()>& undo);
    void failed(const QString& what, const trainyard::Error& error);
    void jobStarted(trainyard::ui::BackgroundJob* job);  // to show its progress and to cancel it
    void exportStarted(trainyard::ui::ModelExport* job); // also a BackgroundJob
    void checkpointFetched(const QString& run);          // its file is now beside the copy of its record
    void archiveChanged();                               // runs were archived, restored or deleted

private:
    Home::Means means() { return {this, m_workspace, m_signIn}; }
    HomePtr homeOf(const QString& run) { return ui::homeOf(means(), run.toStdString()); }
    HomePtr homeAt(const Destination& to);
    // Reports a failure, and nothing else.
    Home::Then<void> orFailed(const QString& what);
    void fetch(const QString& what, const QString& name, const Home& from, const QString& told,
               const std::function<void()>& then);
    template <class Work>
    void quietly(const QString& what, Work work, const QString& message = {});
    void edit(const std::vector<run::RunEdit>& edits, const QString& told, bool canBeUndone);
    void pin(const std::vector<run::PinEdit>& edits, const QString& told, bool canBeUndone);

    store::Workspace m_workspace;
    SignIn m_signIn = [](const std::vector<std::string>&) { return Result<void>(); };
    int m_starting = 0;
};

} // namespace trainyard::ui
