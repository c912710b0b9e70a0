// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/run_driver.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/mutex.h"
#include "engine/run/attach/terminal_progress.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/start/run_start.h"
#include "engine/torch/api/rank_descriptors.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
constexpr int kKeepAll = 10'000;
constexpr int kAlways = 10'000;
constexpr int kPollMs = 500, kProgressMs = 100;

Mutex s_mutex;
std::vector<std::string> s_runs TY_GUARDED_BY(s_mutex); // of the calls so far; empty for one that could not start

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const auto to = std::min(text.find(separator, from), text.size());
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

// This program and its arguments, as they were given to it.
trainyard::Result<run::RankProgram> thisProgram(const CallPosition& call,
                                                std::map<std::string, std::string> environment) {
    std::error_code failure;
    const auto path = fs::read_symlink("/proc/self/exe", failure);
    if (failure) return environmentError("cannot tell which program this is: " + failure.message(), "/proc/self/exe");
    TY_ASSIGN(const auto line, readFile("/proc/self/cmdline"));
    auto words = split(line, '\0');
    if (!words.empty()) words.erase(words.begin());
    if (!words.empty()) words.pop_back(); // what follows the last zero
    std::string earlier;
    {
        const MutexLock lock(s_mutex);
        for (int i = 0; i + 1 < call.number; ++i) earlier += (i ? "," : "") + s_runs[static_cast<std::size_t>(i)];
    }
    environment["TRAINYARD_CALL"] = std::to_string(call.number);
    environment["TRAINYARD_EARLIER"] = earlier;
    environment["TRAINYARD_FOLDER"] = fs::current_path(failure).string();
    return run::RankProgram{path.string(), std::move(words), std::move(environment)};
}

// The run file of a program's run: the program stands for the model, with its configuration as parameters.
spec::RunSpec specOf(const TrainerOptions& options, const std::string& program) {
    spec::RunSpec spec;
    spec.name = options.run.name;
    spec.model = {program, options.loopConfig.values()};
    spec.dataset = {"program", {}};
    for (const char* key : {"epochs", "num_epochs", "numEpochs"})
        if (options.loopConfig.contains(key)) spec.epochs = std::max<std::int64_t>(1, options.loopConfig.integer(key));
    if (options.loopConfig.contains("lr")) spec.optimizer.params["lr"] = options.loopConfig.number("lr");
    spec.scaling.workers = options.scaling.numWorkers;
    spec.scaling.device = options.scaling.useGpu ? "cuda" : "cpu";
    spec.scaling.threadsPerWorker = options.scaling.threadsPerWorker;
    spec.scaling.averaging = options.scaling.averaging;
    spec.scaling.compression = options.scaling.compression;
    spec.scaling.compressionRank = options.scaling.compressionRank;
    spec.scaling.syncBatchNorm = options.scaling.syncBatchNorm;
    spec.hosts = options.scaling.hosts;
    const auto& failure = options.run.failure;
    spec.failure.maxRestarts = failure.maxFailures < 0 ? kAlways : failure.maxFailures;
    static_assert(FailureConfig{}.heartbeatSeconds == spec::Failure{}.heartbeatSeconds, "one default for both");
    spec.failure.heartbeatSeconds = failure.heartbeatSeconds;
    const auto& checkpoint = options.run.checkpoint;
    spec.checkpoint.keep = checkpoint.numToKeep == 0 ? kKeepAll : checkpoint.numToKeep;
    if (!checkpoint.scoreAttribute.empty()) spec.checkpoint.scoreBy = checkpoint.scoreAttribute;
    spec.checkpoint.mode = checkpoint.scoreOrder;
    if (!options.run.storagePath.empty()) spec.storage = fs::absolute(options.run.storagePath).string();
    return spec;
}

} // namespace

CallPosition nextCall() {
    const MutexLock lock(s_mutex);
    s_runs.emplace_back();
    CallPosition call;
    call.number = static_cast<int>(s_runs.size());
    if (rankDescriptors().readFd < 0) return call;
    const int wanted = rankDescriptors().call;
    const auto earlier = split(variable("TRAINYARD_EARLIER"), ',');
    const auto index = static_cast<std::size_t>(call.number) - 1;
    call.role = call.number < wanted ? CallPosition::Role::Earlier : CallPosition::Role::Rank;
    if (call.role == CallPosition::Role::Earlier && index < earlier.size()) call.earlierRun = earlier[index];
    return call;
}

void recordCall(const CallPosition& call, const std::string& id) {
    const MutexLock lock(s_mutex);
    s_runs[static_cast<std::size_t>(call.number) - 1] = id;
}

trainyard::Result<ProgramRun> programRun(const CallPosition& call, const TrainerOptions& options,
                                         const store::Workspace& workspace,
                                         std::map<std::string, std::string> environment) {
    TY_ASSIGN(auto program, thisProgram(call, std::move(environment)));
    program.environment["TRAINYARD_WORKSPACE"] = fs::absolute(workspace.root).string();
    auto spec = specOf(options, fs::path(program.path).filename().string());
    return ProgramRun{std::move(spec), std::move(program)};
}

trainyard::Result<std::unique_ptr<RunDriver>> RunDriver::start(const CallPosition& call, const TrainerOptions& options,
                                                               std::map<std::string, std::string> environment) {
    std::unique_ptr<RunDriver> driver(new RunDriver);
    TY_ASSIGN(driver->m_workspace, store::Workspace::open(options.run.workspace.string()));
    TY_ASSIGN(auto made, programRun(call, options, driver->m_workspace, std::move(environment)));
    run::StartOptions start;
    start.program = std::move(made.program);
    if (options.resumeFrom) start.resumeFrom = options.resumeFrom->path().string();
    TY_ASSIGN(const auto prepared, run::prepareRun(driver->m_workspace, std::move(made.spec), start));
    driver->m_run = prepared.id;
    driver->m_verbose = options.run.verbose;
    driver->m_folder = prepared.folder.root.string();
    recordCall(call, prepared.id);
    TY_ASSIGN(driver->m_follower, run::RunFollower::open(driver->m_workspace, prepared.id));
    TY_ASSIGN(driver->m_supervisor,
              run::spawnSupervisor("supervise", prepared.folder.root, run::Detachment::Tied, &prepared.lock));
    return driver;
}

RunDriver::~RunDriver() {
    if (m_supervisor <= 0) return;
    if (!m_over) ::kill(m_supervisor, SIGTERM);
    while (::waitpid(m_supervisor, nullptr, 0) < 0 && errno == EINTR) {}
}

bool RunDriver::isOver(int milliseconds) { return isOver(milliseconds, nullptr); }

bool RunDriver::isOver(int milliseconds, run::TerminalProgress* progress) {
    if (m_over) return true;
    const auto update = m_follower->poll(milliseconds);
    if (update && progress) progress->update(*update);
    if (update && update->ended) return m_over = true;
    // A supervisor that could not even begin leaves nothing to follow.
    const pid_t gone = ::waitpid(m_supervisor, nullptr, WNOHANG);
    if (gone != m_supervisor) return false;
    m_supervisor = -1;
    return m_over = true;
}

// On a terminal as trainyardctl run does it. Elsewhere the program's output is its own.
void RunDriver::showToTheEnd() {
    using run::TerminalProgress;
    const auto style = TerminalProgress::chooseStyle(TerminalProgress::Style::Silent);
    const auto query = store::RunQuery::open(m_workspace);
    const auto row = query ? (*query)->run(m_run) : trainyard::Result<store::RunRow>(query.error());
    TerminalProgress progress(m_verbose ? style : TerminalProgress::Style::Silent, row ? row->name : m_run);
    progress.say("run " + m_run + ": the window shows it, and so does trainyardctl attach " + m_run);
    while (!isOver(m_verbose ? kProgressMs : kPollMs, &progress)) {}
}

Result RunDriver::waitForEnd() {
    showToTheEnd();
    auto result = recordedResult(m_workspace, m_run);
    if (!result) return failedResult(result.error());
    return std::move(*result);
}

} // namespace trainyard::train
