// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation_file.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/record/run_recorder.h"
#include "engine/run/record/series/event_book.h"
#include "engine/run/record/series/series_book.h"
#include "engine/run/record/series/tensorboard_log.h"
#include "engine/run/supervise/journal/attach_server.h"
#include "engine/run/supervise/journal/published_state.h"
#include "engine/run/supervise/journal/rank_curves.h"
#include "engine/run/supervise/journal/system_book.h"
#include "engine/run/supervise/journal/value_watch.h"

namespace trainyard::run {

// Everything that a run reports: its row, points, events, log and state, to its watchers at once, to the store in
// batches, and to its files. A supervisor reports events to it and serves it in its loop; it decides nothing.
class RunJournal {
public:
    // `shared`: a store to which other runs of this process are written as well; none: the run has its own.
    RunJournal(RunFolder folder, const store::Workspace& workspace, store::RunRow row,
               std::shared_ptr<store::KeptStore> shared);

    // Lets watchers attach at `socket`. Environment when that is not possible; then nobody watches.
    Result<void> listen(const std::filesystem::path& socket, std::function<void(wire::StopMode)> stop,
                        std::function<void(const wire::Command&)> command);
    // What earlier supervisors of the run have stored: points and events.
    Result<void> load(store::RunQuery& query);
    // Optional: a run without it loses nothing.
    void openTensorBoard();

    // For the loop, in monotonic seconds: writes and sends what is due; the next due time; descriptors to poll.
    void serve(double now);
    double due() const;
    void addPollEntries(std::vector<pollfd>& entries) const;
    void handleWatchers();
    Result<void> flush() { return m_recorder.flush(); } // into the store, now
    bool hasUnsent() const { return m_server && m_server->hasUnsent(); }

    // The run begins with this supervisor, or goes on with it.
    void begin(int ranks);
    bool goesOn() const { return m_row.startedMs != m_startedWallMs; }
    void trains(int ranks); // all ranks do, for the first time since launched()
    bool hasTrained() const { return m_hasTrained; }
    // Its last words, before the last flush().
    void end(wire::RunStatus status);
    // The same for a finished run that could not be continued: it keeps its results, and gets this run file again. The
    // failure is that of the state.
    void endAsBefore(const std::string& runFile);

    // The state that watchers see. After a change: change() on it where that may wait, else publish().
    PublishedState& state() { return m_state; }
    const PublishedState& state() const { return m_state; }
    void publish();
    void setStatus(wire::RunStatus status);
    void notice(std::string text); // published; empty: takes it back
    // A notice about a host, shown after the ranks' own. It replaces the previous one of this kind, and stays until the
    // next one or until there is another notice. Published; empty: removes it.
    void hostNotice(std::string text);
    bool showsHostNotice() const { return !m_hostNotice.empty() && m_state.notice.ends_with(m_hostNotice); }
    void warn(int rank, std::string text); // a notice that is in the log as well, published with the next state

    // The row in the store; without what the state says, which storeRow() adds.
    store::RunRow& row() { return m_row; }
    const store::RunRow& row() const { return m_row; }
    void storeRow();
    void storeWorkers() { m_recorder.workers(m_state.workers); }

    void log(int rank, const char* level, std::string text); // rank -1: the supervisor
    void points(const wire::Metrics& metrics);               // of the run
    void points(int rank, const wire::Metrics& metrics);     // of a rank, which may wait for those of the others
    void sampled(int rank, const HostName& host, const wire::SystemSample& sample);
    void dataRead(const wire::DataRead& read); // into the run's folder, and its notes into the log
    void evaluated(const wire::Evaluation& evaluation) { m_evaluation.validated(evaluation); }
    void tested(const wire::Tested& tested) { m_evaluation.tested(tested); }
    void answer(const wire::CommandDone& done); // to those who asked
    // The list as it now is; `voidFiles` are deleted once that is stored.
    void checkpoints(const std::vector<store::CheckpointRow>& rows, std::vector<std::filesystem::path> voidFiles);
    std::vector<store::CheckpointRow> storedCheckpoints() const { return m_recorder.storedCheckpoints(); }
    // A checkpoint follows, and the curve must lead up to it: without its points the file is useless. A brief run is
    // trained again then.
    void soon();
    bool sharesStore() const { return m_shares; } // it is one of many runs

    // Later points and events are void; -1: all.
    void rewind(std::int64_t step);
    void relaunched(); // no rank is there yet
    void joinRanks(const std::string& policy, int ranks) { m_curves.ranks.begin(policy, ranks); } // of a program
    ValueWatch& values() { return m_curves.values; }                                              // the same
    void regrouped() { m_system.regrouped(); }

    EventBook& events() { return m_events; }
    void mark(const std::vector<store::RunEventRow>& events); // in the charts
    void mark(store::RunEventRow event) { m_recorder.event(std::move(event)); }
    void markRanks(int count, std::string reason); // if there were more or fewer before
    RunMoment moment() const;

    const SeriesBook& series() const { return m_series; }
    double lastLearningRate() const;                         // of the newest point; not a number without one
    std::int64_t storedStep() const { return m_storedStep; } // up to which all points are in the store

private:
    void broadcast(const wire::Message& message);
    void setAside(program::SourceKind kind);
    void tell(const wire::Metrics& delta);
    void writeEvaluation();
    void storeSystem(double now);
    void tellTrouble(double now);
    Outlives filesOutlive() const;
    std::vector<wire::Message> greeting() const;
    std::string endText() const;

    const RunFolder m_folder;
    const bool m_shares; // the store, with other runs
    const std::int64_t m_startedWallMs;
    store::RunRow m_row;
    const store::RunRow m_before; // as this supervisor found it
    bool m_hasTrained = false;    // since then
    PublishedState m_state;
    RunRecorder m_recorder;
    EvaluationFile m_evaluation;
    struct Curves {
        RankCurves ranks;
        ValueWatch values;
    };
    Curves m_curves;
    SeriesBook m_series;
    SystemBook m_system;
    EventBook m_events;
    std::unique_ptr<AttachServer> m_server;
    std::unique_ptr<TensorBoardLog> m_board; // when the run file asks for it
    std::optional<std::int64_t> m_lowestRewind;
    std::int64_t m_storedStep = 0;
    std::vector<std::string> m_dataNotes; // that have been told
    struct Trouble {
        std::string notice{};          // what the run says while nothing can be stored
        std::optional<double> since{}; // monotonic seconds
    };
    Trouble m_trouble;
    std::string m_hostNotice; // the end of the notice, unless there was another one since
};

} // namespace trainyard::run
