// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/run_journal.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/amounts.h"
#include "engine/run/record/data_file.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <utility>

namespace trainyard::run {
namespace {

constexpr std::int64_t kBriefMs = 1000; // of a trial: its files wait for no disk
constexpr double kPatienceSeconds = 3;  // with a store that another program has locked, until it is said

} // namespace

RunJournal::RunJournal(RunFolder folder, const store::Workspace& workspace, store::RunRow row,
                       std::shared_ptr<store::KeptStore> shared)
    : m_folder(std::move(folder)), m_shares(shared != nullptr), m_startedWallMs(wallClockMs()), m_row(std::move(row)),
      m_before(m_row), m_recorder(shared ? std::move(shared) : RunRecorder::storeFor(workspace, 0), m_row.id),
      m_evaluation(m_folder.evaluationFile()) {
    m_state.restarts = m_row.restarts;
    m_state.step = m_row.step;
    m_state.epoch = m_row.epoch;
}

Result<void> RunJournal::listen(const std::filesystem::path& socket, std::function<void(wire::StopMode)> stop,
                                std::function<void(const wire::Command&)> command) {
    AttachServer::Handlers handlers{[this] { return greeting(); }, std::move(stop), std::move(command)};
    TY_ASSIGN(m_server, AttachServer::listen(socket, std::move(handlers)));
    return {};
}

Result<void> RunJournal::load(store::RunQuery& query) {
    TY_ASSIGN(const auto names, query.seriesNames(m_row.id));
    for (const auto& name : names) {
        TY_ASSIGN(const auto points, query.points(RunId(m_row.id), name));
        m_series.load(name, points);
        m_curves.values.load(name, points);
    }
    TY_ASSIGN(auto events, query.events(m_row.id));
    m_events.load(std::move(events));
    return {};
}

void RunJournal::openTensorBoard() {
    auto opened = TensorBoardLog::open(m_folder.tensorBoard(), m_row.id);
    if (opened) m_board = std::move(*opened);
    else log(-1, "warning", "no TensorBoard event file is written: " + opened.error().text());
}

void RunJournal::serve(double now) {
    if (m_recorder.flushIfDue(now)) broadcast(wire::CheckpointListChanged{});
    tellTrouble(now);
    if (!m_recorder.hasUnwrittenPoints()) m_storedStep = m_state.newestPoint();
    if (now >= m_state.due()) publish();
    if (now >= m_evaluation.due()) writeEvaluation();
    if (now >= m_system.due()) storeSystem(now);
    if (now >= m_curves.ranks.nextDue()) points(m_curves.ranks.due(now));
}

double RunJournal::due() const {
    return std::min({m_recorder.due(), m_evaluation.due(), m_state.due(), m_system.due(), m_curves.ranks.nextDue()});
}

void RunJournal::addPollEntries(std::vector<pollfd>& entries) const {
    if (m_server) m_server->addPollEntries(entries);
}

void RunJournal::handleWatchers() {
    if (m_server) m_server->handle();
}

void RunJournal::begin(int ranks) {
    m_row.supervisorPid = ::getpid();
    if (m_server) m_row.socketPath = m_server->path().string();
    m_row.startedMs = m_row.startedMs ? m_row.startedMs : m_startedWallMs;
    m_row.finishedMs = 0;
    m_row.worldSize = ranks;
    m_row.error = {};
    keepLeft(m_row, m_state); // not those of the time before
    setStatus(wire::RunStatus::Starting);
}

void RunJournal::trains(int ranks) {
    m_hasTrained = true;
    mark(m_events.training(ranks, wallClockMs()));
    const std::int64_t origin = goesOn() ? m_startedWallMs : m_row.createdMs;
    if (m_row.launchToFirstStep < 0) m_row.launchToFirstStep = static_cast<double>(wallClockMs() - origin) / 1000;
}

void RunJournal::end(wire::RunStatus status) {
    points(m_curves.ranks.rest());
    m_row.finishedMs = wallClockMs();
    m_row.supervisorPid = 0;
    m_row.socketPath.clear();
    if (status == wire::RunStatus::Finished) m_state.phase = wire::Phase::Done;
    m_state.status = status;
    keepLeft(m_row, m_state);
    // Names of printed values may have been taken or dropped while it ran.
    if (const auto spec = spec::readRunSpec(m_folder.runFile()); spec && spec->program)
        if (auto text = readFile(m_folder.runFile())) m_row.specJson = std::move(*text);
    storeRow();
    storeWorkers();
    writeEvaluation();
    log(-1, "info", endText());
}

void RunJournal::endAsBefore(const std::string& runFile) {
    const auto failure = m_state.error;
    m_row = m_before;
    keepLeft(m_row, m_state);
    if (const auto written = writeRunFile(m_folder, m_row, runFile); !written)
        log(-1, "warning", "the run file could not be put back: " + written.error().text());
    m_state.step = m_row.step;
    m_state.totalSteps = m_row.totalSteps;
    m_state.epoch = m_row.epoch;
    if (const auto spec = spec::parseRunSpec(m_row.specJson)) m_state.totalEpochs = spec->epochs.value_or(0);
    for (auto& worker : m_state.workers) { // each had come to the end of the run
        worker.status = wire::RankStatus::Finished;
        worker.beat = {};
        worker.beat.step = m_row.step;
        worker.beat.epoch = m_row.epoch;
    }
    m_state.restarts = m_row.restarts;
    m_state.trainSeconds = m_row.trainSeconds;
    m_state.notice = "could not be continued, and is finished as before: " + failure.text();
    m_state.phase = wire::Phase::Done;
    m_state.status = wire::RunStatus::Finished;
    m_row.supervisorPid = 0;
    m_row.socketPath.clear();
    storeRow();
    storeWorkers();
    log(-1, "info", m_state.notice);
}

std::string RunJournal::endText() const {
    return std::string(wire::toString(m_state.status)) + " at step " + grouped(m_state.step) + " after " +
           durationText(static_cast<double>(m_row.finishedMs - m_startedWallMs) / 1000) + "; " + m_state.leftText();
}

void RunJournal::publish() {
    const bool intoStore = m_state.send(monotonicSeconds());
    broadcast(m_state);
    if (!intoStore) return;
    storeRow();
    storeWorkers();
}

void RunJournal::setStatus(wire::RunStatus status) {
    m_state.status = status;
    storeRow();
    publish();
}

void RunJournal::notice(std::string text) {
    m_state.notice = std::move(text);
    publish();
}

void RunJournal::hostNotice(std::string text) {
    constexpr std::string_view kAnd = "; ";
    std::string shown = m_state.notice;
    if (showsHostNotice()) {
        shown.resize(shown.size() - m_hostNotice.size());
        if (shown.ends_with(kAnd)) shown.resize(shown.size() - kAnd.size());
    }
    if (!shown.empty() && !text.empty()) shown += kAnd;
    shown += text;
    m_hostNotice = std::move(text);
    notice(std::move(shown));
}

// What cannot be stored is kept and tried again. Those who read the store see it stand still, so watchers are told why.
void RunJournal::tellTrouble(double now) {
    const auto& trouble = m_recorder.trouble();
    if (!trouble) {
        m_trouble.since.reset();
        if (m_trouble.notice.empty()) return;
        const bool shown = m_state.notice == std::exchange(m_trouble.notice, {});
        log(-1, "info", "what happened is recorded again");
        if (shown) notice({});
        return;
    }
    if (!m_trouble.since) m_trouble.since = now;
    if (!m_trouble.notice.empty()) return;
    if (trouble->code != ErrorCode::DiskFull && now - *m_trouble.since < kPatienceSeconds) return;
    m_trouble.notice = "nothing can be recorded at present, and is kept in memory: " + trouble->text();
    log(-1, "warning", m_trouble.notice);
    notice(m_trouble.notice);
}

void RunJournal::warn(int rank, std::string text) {
    m_state.notice = text;
    log(rank, "warning", std::move(text));
}

void RunJournal::storeRow() {
    m_row.status = m_state.status;
    m_row.step = m_state.step;
    m_row.totalSteps = m_state.totalSteps;
    m_row.epoch = m_state.epoch;
    m_row.restarts = m_state.restarts;
    m_row.trainSeconds = m_state.trainSeconds;
    m_row.error = m_state.error;
    m_recorder.row(m_row);
}

void RunJournal::log(int rank, const char* level, std::string text) {
    wire::LogLine line{rank, level, std::move(text), wallClockMs()};
    broadcast(line);
    m_recorder.log(std::move(line));
}

void RunJournal::points(int rank, const wire::Metrics& metrics) {
    points(m_curves.ranks.add(rank, metrics, monotonicSeconds()));
}

void RunJournal::points(const wire::Metrics& metrics) {
    for (const auto& series : metrics.series)
        if (const auto source = sourceOf(series.series); source && source->name.empty()) setAside(source->kind);
    auto delta = m_series.accept(metrics);
    if (delta.series.empty()) return;
    std::vector<wire::SeriesPoints> curves;
    for (const auto& series : delta.series)
        if (!isSourceSeries(series.series)) curves.push_back(series);
    m_state.applyPoints(curves);
    m_curves.values.add(curves);
    m_system.trained(m_state.trainSeconds, monotonicSeconds());
    tell(delta);
    m_recorder.points(std::move(delta.series));
}

// The names of the curves are another source's from here on. Watchers begin anew, with what the store has by then.
void RunJournal::setAside(program::SourceKind kind) {
    std::vector<store::RenamedSeries> renamed;
    for (const auto& [name, value] : m_series.lastValues())
        if (tellsOfTraining(name)) renamed.push_back({name, sourceSeries(kind, name)});
    if (renamed.empty()) return;
    for (const auto& [from, to] : renamed) m_series.rename(from, to);
    m_curves.values.rewind(-1);
    m_recorder.rename(std::move(renamed));
    (void)m_recorder.flush(); // what fails is tried again
    if (m_board) m_board->rewind(-1);
    m_lowestRewind = -1;
    for (const auto& message : greeting()) broadcast(message);
}

void RunJournal::sampled(int rank, const HostName& host, const wire::SystemSample& sample) {
    m_system.take(rank, host, sample, monotonicSeconds());
}

// They say nothing of how far the training is, and may reach the disk later than its own points.
void RunJournal::storeSystem(double now) {
    auto delta = m_series.accept(m_system.points({m_state.step, m_state.epoch}, now));
    if (delta.series.empty()) return;
    tell(delta);
    m_recorder.slowPoints(std::move(delta.series), now);
}

void RunJournal::tell(const wire::Metrics& delta) {
    broadcast(delta);
    if (m_board) m_board->add(delta);
}

void RunJournal::answer(const wire::CommandDone& done) { broadcast(done); }

void RunJournal::checkpoints(const std::vector<store::CheckpointRow>& rows,
                             std::vector<std::filesystem::path> voidFiles) {
    const bool deletes = !voidFiles.empty();
    m_recorder.checkpoints(rows, std::move(voidFiles), filesOutlive());
    if (deletes) m_recorder.soon();
}

void RunJournal::soon() {
    if (filesOutlive() == Outlives::PowerLoss) m_recorder.soon();
}

// What took less than a wait for the disk costs can be trained again as soon.
Outlives RunJournal::filesOutlive() const {
    const bool brief = m_shares && wallClockMs() - m_startedWallMs < kBriefMs;
    return brief ? Outlives::Process : Outlives::PowerLoss;
}

void RunJournal::dataRead(const wire::DataRead& read) {
    const bool leavesFiles = !m_shares || !read.notes.empty() || !read.file.empty(); // one of very many runs does not
    if (const auto written = leavesFiles ? writeDataFiles(m_folder, read, filesOutlive()) : Result<void>(); !written)
        log(0, "warning", "what is known of the data could not be written: " + written.error().text());
    if (read.notes == m_dataNotes) return;
    m_dataNotes = read.notes;
    std::string all;
    for (const std::string& note : read.notes) {
        log(0, "info", "data: " + note);
        all += (all.empty() ? "data: " : "; ") + note;
    }
    if (!all.empty()) notice(std::move(all));
}

// A disk that is full costs the file, not the run.
void RunJournal::writeEvaluation() {
    if (const auto written = m_evaluation.write(filesOutlive()); !written)
        log(0, "warning", "the evaluation could not be written: " + written.error().text());
}

void RunJournal::rewind(std::int64_t step) {
    m_series.rewind(step);
    m_events.rewind(step);
    m_recorder.rewind(step);
    m_lowestRewind = std::min(m_lowestRewind.value_or(step), step);
    broadcast(wire::Rewound{step});
    if (m_board) m_board->rewind(step);
    m_state.rewind(step);
    m_curves.values.rewind(step);
    m_system.relaunched();
}

void RunJournal::relaunched() {
    m_state.relaunch();
    m_system.relaunched();
}

void RunJournal::mark(const std::vector<store::RunEventRow>& events) {
    for (const auto& event : events) mark(event);
}

void RunJournal::markRanks(int count, std::string reason) {
    if (auto changed = m_events.workers(count, std::move(reason), moment())) mark(std::move(*changed));
}

RunMoment RunJournal::moment() const { return {m_state.step, m_state.trainSeconds, wallClockMs()}; }

double RunJournal::lastLearningRate() const {
    const auto values = m_series.lastValues();
    const auto rate = values.find("lr");
    return rate == values.end() ? store::RunEventRow::kNone : rate->second;
}

void RunJournal::broadcast(const wire::Message& message) {
    if (m_server) m_server->broadcast(message);
}

// What a new watcher needs beyond the store: the state, what was voided, the points not yet written, and for every
// series the index up to which the store can be read.
std::vector<wire::Message> RunJournal::greeting() const {
    std::vector<wire::Message> messages{m_state};
    if (m_lowestRewind) messages.emplace_back(wire::Rewound{*m_lowestRewind});
    wire::Metrics delta{m_recorder.unwritten()};
    for (const auto& [series, value] : m_series.lastValues()) {
        const bool has = std::any_of(delta.series.begin(), delta.series.end(),
                                     [&wanted = series](const auto& each) { return each.series == wanted; });
        if (!has) delta.series.push_back({series, m_series.count(series), {}});
    }
    if (!delta.series.empty()) messages.emplace_back(std::move(delta));
    return messages;
}

} // namespace trainyard::run
