// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/slurm_launcher.h"

#include "engine/base/error_json.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/capture.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/slurm/allocation.h"
#include "engine/run/slurm/slurm_programs.h"
#include "engine/spec/run/host_ranks.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr const char* kEnv = "/usr/bin/env"; // finds Slurm's programs, wherever they are installed
constexpr double kStepSeconds = 30, kSignalSeconds = 20;

// $1 the worker program: says the cores that this step may use and the node's addresses, or nothing.
constexpr const char* kPrepareScript = R"sh([ -x "$1" ] && nproc && hostname -I)sh";

// $1 a job, $2 the name of a step of it, $3 a signal. The number of a step is known to Slurm alone.
constexpr const char* kSignalScript = R"sh(
squeue --noheader --steps --jobs="$1" --format='%i %j' | while read -r step name; do
  [ "$name" != "$2" ] || scancel --signal="$3" "$step"
done
)sh";

// The words after `env` that run a command as a step on one node.
std::vector<std::string> stepOf(const std::string& job, const std::string& node, const std::string& name,
                                const std::vector<std::string>& command) {
    auto words = slurmStepArguments(job, node, name);
    words.insert(words.begin(), "srun");
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

std::string lastLine(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return printable(text.substr(text.rfind('\n') + 1));
}

// Empty when the name stands for nothing.
std::string resolve(const std::string& name) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return {};
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), static_cast<socklen_t>(text.size()), nullptr, 0,
                      NI_NUMERICHOST) != 0)
        text[0] = '\0';
    ::freeaddrinfo(found);
    return text.data();
}

Result<Captured> captureStep(const std::string& job, const std::string& node, const std::vector<std::string>& command) {
    return capture(kEnv, stepOf(job, node, "trainyard-ask", command), kStepSeconds);
}

// What a step prints; Environment where it cannot be made, or its command fails.
Result<std::string> askNode(const std::string& job, const std::string& node, const std::vector<std::string>& command) {
    TY_ASSIGN(const Captured captured, captureStep(job, node, command));
    if (captured.exitCode != 0)
        return environmentError("a step on the node fails: " + lastLine(captured.errors), "slurm node " + node,
                                "see the job and its nodes: scontrol show job " + job + "; sinfo")
            .withCode(ErrorCode::HostUnreachable);
    return captured.output;
}

class SlurmWorker final : public WorkerProcess {
public:
    SlurmWorker(std::unique_ptr<WorkerProcess> srun, std::string job, std::string step)
        : m_srun(std::move(srun)), m_job(std::move(job)), m_step(std::move(step)) {}
    ~SlurmWorker() override {
        if (!m_srun->exitStatus()) SlurmWorker::signal(SIGKILL);
    }
    int frameFd() const override { return m_srun->frameFd(); }
    int logFd() const override { return m_srun->logFd(); }
    // Never to srun: without it the step would go on, and with SIGTERM it ends the step without asking.
    void signal(int signalNumber) override {
        const std::vector<std::string> words{
            "sh", "-c", kSignalScript, "sh", m_job, m_step, std::to_string(signalNumber)};
        try {
            std::thread([words] { (void)capture(kEnv, words, kSignalSeconds); }).detach();
        } catch (const std::system_error&) { (void)capture(kEnv, words, kSignalSeconds); }
    }
    std::optional<ExitStatus> exitStatus() override {
        const auto status = m_srun->exitStatus();
        return status ? std::optional(slurmStepExit(*status)) : std::nullopt;
    }
    std::int64_t pid() const override { return 0; } // on its node

private:
    std::unique_ptr<WorkerProcess> m_srun;
    std::string m_job, m_step;
};

class SlurmLauncher final : public Launcher {
public:
    explicit SlurmLauncher(SlurmLauncherOptions options)
        : m_options(std::move(options)), m_local(makeLocalLauncher(kEnv)) {}

    Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request) override;
    Result<std::string> stage(const HostName& host, const fs::path& local) override;
    Result<void> fetch(const HostName& host, const std::string& remote, const fs::path& local) override;
    Result<std::string> ask(const HostName& host, const std::vector<std::string>& words) override;
    Result<void> fetchTree(const HostName& host, const std::string& remote, const fs::path& local) override {
        return m_local->fetchTree(host, remote, local);
    }
    Result<void> remove(const HostName& host, const std::vector<std::string>& files) override {
        return m_local->remove(host, files);
    }
    Result<HostInfo> prepare(const HostName& host, const RunId& run) override;
    Result<std::vector<std::string>> list(const HostName& host, const std::string& folder) override {
        return m_local->list(host, folder);
    }
    Result<int> signalAll(const HostName& host, const RunId& run, int signalNumber) override;

private:
    Result<std::string> nodeOf(const HostName& host) const;
    bool isInJob(const std::string& node) const;
    bool isBeingEnded() const;

    SlurmLauncherOptions m_options;
    std::unique_ptr<Launcher> m_local; // of the srun processes, and of the files, which all nodes share
};

Result<std::string> SlurmLauncher::nodeOf(const HostName& host) const {
    auto node = spec::slurmNodeOf(host);
    if (m_options.job.empty() || node.empty())
        return inputError("\"" + printable(host.text()) +
                              "\" is a node of a Slurm job, but this was not started in one",
                          "hosts", "submit it: trainyardctl slurm submit FILE; or start it in a job (salloc, sbatch)");
    if (!isInJob(node))
        return environmentError("the node is not one of job " + m_options.job, "slurm node " + printable(node),
                                "resume the run, so that it trains on the nodes of this job");
    return node;
}

// It was cancelled, has come to its limit, is preempted or queued again.
bool SlurmLauncher::isBeingEnded() const {
    const auto shown = askSlurmProgram({"scontrol", "show", "job", m_options.job});
    return shown && shown->exitCode == 0 && !isJobRunning(shown->output);
}

bool SlurmLauncher::isInJob(const std::string& node) const {
    return std::ranges::find(m_options.nodes, node) != m_options.nodes.end();
}

Result<std::unique_ptr<WorkerProcess>> SlurmLauncher::launch(const LaunchRequest& request) {
    TY_ASSIGN(const auto node, nodeOf(request.host));
    const auto mark = "trainyard-" + newId();
    // The marks are not in the environment of srun: it is none of the run's workers, and not to be counted as one.
    std::vector<std::string> command{kEnv, kLaunchVariable + ("=" + mark), kRunVariable + ("=" + request.run.text()),
                                     m_options.workerProgram.string()};
    command.insert(command.end(), request.arguments.begin(), request.arguments.end());
    LaunchRequest step;
    step.arguments = stepOf(m_options.job, node, mark, command);
    step.environment = request.environment;
    // srun must not be killed with the thread that started it: it tells the worker that its channel has ended.
    step.endsItself = true;
    TY_ASSIGN(auto srun, m_local->launch(step));
    return std::unique_ptr<WorkerProcess>(new SlurmWorker(std::move(srun), m_options.job, mark));
}

Result<std::string> SlurmLauncher::stage(const HostName& host, const fs::path& local) {
    TY_ASSIGN(const auto node, nodeOf(host));
    if (!askNode(m_options.job, node, {"test", "-e", local.string()}))
        return environmentError("the node has no such file", node + ":" + local.string(),
                                "put it on a file system that all nodes share");
    return local.string();
}

Result<std::string> SlurmLauncher::ask(const HostName& host, const std::vector<std::string>& words) {
    TY_ASSIGN(const auto node, nodeOf(host));
    std::vector<std::string> command{m_options.workerProgram.string()};
    command.insert(command.end(), words.begin(), words.end());
    TY_ASSIGN(const auto said, captureStep(m_options.job, node, command));
    if (said.exitCode == 0) return said.output;
    return programError(m_options.workerProgram.filename().string() + " on " + node, said.exitCode, said.output,
                        said.errors);
}

Result<void> SlurmLauncher::fetch(const HostName& host, const std::string& remote, const fs::path& local) {
    std::error_code ignored;
    if (!fs::exists(remote, ignored))
        return environmentError("the node has written it, but this computer does not see it",
                                spec::slurmNodeOf(host) + ":" + remote,
                                "put the workspace on a file system that all nodes share");
    return m_local->fetch(host, remote, local);
}

Result<Launcher::HostInfo> SlurmLauncher::prepare(const HostName& host, const RunId&) {
    TY_ASSIGN(const auto node, nodeOf(host));
    const auto worker = m_options.workerProgram.string();
    TY_ASSIGN(const auto said,
              askNode(m_options.job, node, {"sh", "-c", std::string(kPrepareScript) + " || :", "sh", worker}));
    std::istringstream lines(said);
    HostInfo info;
    std::string own;
    if (!(lines >> info.cores) || !std::getline(lines >> std::ws, own))
        return environmentError("the node cannot start the worker program", node + ":" + worker,
                                "install Trainyard on all nodes, or on a file system that they share");
    info.address = slurmNodeAddress(resolve(node), own);
    return info;
}

Result<int> SlurmLauncher::signalAll(const HostName& host, const RunId& run, int signalNumber) {
    if (!m_options.job.empty() && !isInJob(spec::slurmNodeOf(host))) return 0; // Slurm has ended them with their job
    TY_ASSIGN(const auto node, nodeOf(host));
    const auto said =
        askNode(m_options.job, node, {"sh", "-c", kSignalWorkersScript, "sh", run, std::to_string(signalNumber)});
    if (!said && isBeingEnded()) return 0; // no step is made any more, and Slurm leaves none
    if (!said) return said.error();
    int count = 0;
    if (const auto end = std::from_chars(said->data(), said->data() + said->size(), count); end.ec != std::errc())
        return environmentError("the processes of the run cannot be counted", "slurm node " + node);
    return count;
}

} // namespace

std::unique_ptr<Launcher> makeSlurmLauncher(SlurmLauncherOptions options) {
    return std::make_unique<SlurmLauncher>(std::move(options));
}

// Without --unbuffered a line that has no end would never arrive; without --overlap a step waits until the ranks are
// over. A number of processors would confine the step to that many, so none is asked for: it may use the job's.
std::vector<std::string> slurmStepArguments(const std::string& job, const std::string& node, const std::string& name) {
    return {"--jobid=" + job,     "--overlap",    "--nodes=1", "--ntasks=1",
            "--nodelist=" + node, "--unbuffered", "--quiet",   "--cpu-bind=none",
            "--export=ALL",       "--mpi=none",   "--chdir=/", "--job-name=" + name};
}

ExitStatus slurmStepExit(const ExitStatus& srun) {
    if (srun.signalled) return {.signalled = true, .code = srun.code, .hostLost = true}; // the step itself may go on
    if (srun.code > 128 && srun.code <= 128 + SIGRTMAX) return {.signalled = true, .code = srun.code - 128};
    return srun;
}

Result<std::vector<std::string>> withSlurmNodes(const std::vector<std::string>& hosts, const std::string& nodeList) {
    if (std::ranges::none_of(hosts, spec::isSlurmHost)) return hosts;
    if (nodeList.empty())
        return inputError("\"slurm\" means the nodes of a Slurm job, but this was not started in one", "hosts",
                          "submit it: trainyardctl slurm submit FILE; or start it in a job (salloc, sbatch)");
    TY_ASSIGN(const auto nodes, expandNodeList(nodeList));
    std::vector<std::string> all;
    bool named = false;
    for (const auto& host : hosts) {
        if (!spec::isSlurmHost(host)) all.push_back(host);
        else if (!std::exchange(named, true))
            for (const auto& node : nodes) all.push_back(spec::kSlurmHost + (":" + node));
    }
    return all;
}

std::string slurmNodeAddress(const std::string& resolved, const std::string& own) {
    std::istringstream words(own);
    std::string first;
    for (std::string word; words >> word;) {
        if (word == resolved) return word;
        if (first.empty()) first = word;
    }
    return first;
}

} // namespace trainyard::run
