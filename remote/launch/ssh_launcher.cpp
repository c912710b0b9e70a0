// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/ssh_launcher.h"

#include "engine/base/error_json.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/text/ids.h"
#include "engine/run/launch/host_tasks.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/relay/relay.h"
#include "remote/files/deploy.h"
#include "remote/files/run_copies.h"
#include "remote/files/shared_files.h"
#include "remote/files/stage.h"
#include "remote/files/stage_folder.h"
#include "remote/hosts/connect.h"
#include "remote/hosts/port_probe.h"
#include "remote/hosts/remote_host.h"
#include "remote/launch/held_worker.h"

#include <sys/socket.h>

#include <csignal>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr int kWayTries = 2;
constexpr double kAskSeconds = 60;

class SshWorker : public run::WorkerProcess {
public:
    SshWorker(std::shared_ptr<SshSession> session, std::unique_ptr<SshChannel> channel)
        : m_session(std::move(session)), m_channel(std::move(channel)) {}
    ~SshWorker() override { SshWorker::signal(SIGKILL); }
    int frameFd() const override { return m_channel->dataFd(); }
    int logFd() const override { return m_channel->logFd(); }
    void signal(int signalNumber) override {
        if (!m_channel->exitStatus()) m_session->signalGroup(m_channel->pid(), signalNumber);
    }
    std::optional<run::ExitStatus> exitStatus() override { return m_channel->exitStatus(); }
    std::int64_t pid() const override { return m_channel->pid(); }

private:
    std::shared_ptr<SshSession> m_session; // outlives the channel
    std::unique_ptr<SshChannel> m_channel;
};

class SshLauncher : public run::Launcher {
public:
    explicit SshLauncher(SshLauncherOptions options)
        : m_options(std::move(options)), m_worker(m_options.workerProgram), m_relay(m_options.relayProgram) {}

    Result<std::unique_ptr<run::WorkerProcess>> launch(const run::LaunchRequest& request) override;
    void listen(std::function<void(const std::string&)> told) override {
        const MutexLock lock(m_mutex);
        m_told = std::move(told);
    }
    Result<std::string> stage(const HostName& host, const fs::path& local) override;
    Result<std::string> place(const HostName& host, const fs::path& local, run::DataPlacement placement) override;
    Result<std::string> stageOwn(const HostName& host, const RunId& run, const run::OwnFolder& folder) override;
    Result<std::string> ask(const HostName& host, const std::vector<std::string>& words) override;
    Result<void> fetchTree(const HostName& host, const std::string& remote, const fs::path& local) override;
    Result<void> fetch(const HostName& host, const std::string& remote, const fs::path& local) override;
    Result<void> remove(const HostName& host, const std::vector<std::string>& files) override;
    Result<HostInfo> prepare(const HostName& host, const RunId& run) override;
    Result<std::vector<std::string>> list(const HostName& host, const std::string& folder) override;
    Result<int> signalAll(const HostName& host, const RunId& run, int signalNumber) override;
    Result<std::optional<double>> checkWay(const HostName& from, const HostName& to,
                                           const std::string& address) override;

private:
    Result<std::shared_ptr<SshSession>> sessionWith(const HostName& name);
    Result<std::shared_ptr<RemoteHost>> find(const HostName& name);
    Result<Deployed> deploy(const HostName& name, RemoteHost& host, SshSession& session) TY_REQUIRES(host.mutex);
    std::map<std::string, std::string> environmentOn(const RemoteHost& host, const Deployed& deployed,
                                                     std::map<std::string, std::string> added = {}) const;
    void say(const std::string& text) {
        if (m_options.say) m_options.say(text);
        const MutexLock lock(m_mutex);
        if (m_told) m_told(text);
    }

    SshLauncherOptions m_options;
    const run::ProgramFile m_worker, m_relay;
    DigestCache m_digests;
    Mutex m_mutex; // each host has its own
    std::function<void(const std::string&)> m_told TY_GUARDED_BY(m_mutex);
    std::map<HostName, std::shared_ptr<RemoteHost>> m_hosts TY_GUARDED_BY(m_mutex);
};

Result<std::shared_ptr<RemoteHost>> SshLauncher::find(const HostName& name) {
    if (name.empty())
        return inputError("a rank without a host cannot be started here", "hosts", "name a host for every rank");
    const MutexLock lock(m_mutex);
    auto& host = m_hosts[name];
    if (!host) {
        auto entry = m_options.book.resolve(name);
        if (!entry) {
            m_hosts.erase(name);
            return std::move(entry).error();
        }
        host = std::make_shared<RemoteHost>(std::move(entry).value(), m_options.connect);
    }
    return host;
}

Result<Deployed> SshLauncher::deploy(const HostName& name, RemoteHost& host, SshSession& session) {
    TY_ASSIGN(Deployed deployed,
              host.deploy(session, m_worker, m_relay, m_digests, [this](const std::string& text) { say(text); }));
    if (deployed.bytesSent > 0)
        say(name.text() + ": copied " + m_worker.path().filename().string() + " (" + sizeText(deployed.bytesSent) +
            ")");
    return deployed;
}

Result<std::unique_ptr<run::WorkerProcess>> SshLauncher::launch(const run::LaunchRequest& request) {
    TY_ASSIGN(const auto host, find(request.host));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(auto session, host->session());
    if (host->hasLostFilesOf(*session, request.run))
        return environmentError("what was copied to the host is not there any more", request.host)
            .withCode(ErrorCode::FileMissing);
    TY_ASSIGN(const Deployed deployed, deploy(request.host, *host, *session));
    // A keeper is a relay itself, and needs another one only to outlive its channel.
    const bool isHeld = run::isKeeper(m_worker.path()) ? request.linkSeconds > 0 : run::mayComeFromPool(request);
    const bool relays = !deployed.relay.empty() && isHeld;
    std::vector<std::string> arguments{deployed.program};
    if (relays) arguments.insert(arguments.begin(), deployed.relay);
    arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
    const auto held = relays && request.linkSeconds > 0 ? std::make_shared<HeldMark>() : nullptr;
    if (held) arguments.push_back(std::to_string(request.linkSeconds));
    auto environment = environmentOn(*host, deployed, request.environment);
    const std::string mark = newId();
    environment[run::kLaunchVariable] = mark;
    environment[run::kRunVariable] = request.run;
    TY_ASSIGN(auto channel, session->start(arguments, environment));
    host->launched(channel->pid(), mark, held);
    if (relays) {
        const std::string head = run::relayHead(request.runJson);
        if (::send(channel->dataFd(), head.data(), head.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(head.size())) {
            if (held) held->state = HeldMark::State::Left;
            return environmentError("the worker's channel accepts no run file", request.host);
        }
    }
    if (held) {
        auto worker = holdWorker({host, deployed.relay, deployed.program, mark, deployed.libraries, request.linkSeconds,
                                  std::move(session), std::move(channel), held});
        if (!worker) held->state = HeldMark::State::Left;
        return worker;
    }
    return std::unique_ptr<run::WorkerProcess>(new SshWorker(std::move(session), std::move(channel)));
}

// Those that are added already count.
std::map<std::string, std::string> SshLauncher::environmentOn(const RemoteHost& host, const Deployed& deployed,
                                                              std::map<std::string, std::string> added) const {
    if (const auto own = m_options.environments.find(host.alias()); own != m_options.environments.end())
        added.insert(own->second.begin(), own->second.end());
    return withLibraries(deployed.libraries, std::move(added));
}

Result<std::string> SshLauncher::ask(const HostName& name, const std::vector<std::string>& words) {
    TY_ASSIGN(const auto host, find(name));
    MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    TY_ASSIGN(const Deployed deployed, deploy(name, *host, *session));
    ExecOptions options;
    options.environment = environmentOn(*host, deployed);
    options.silenceSeconds = kAskSeconds;
    lock.unlock(); // other calls do not wait for what Python has to say
    std::vector<std::string> command{deployed.program};
    command.insert(command.end(), words.begin(), words.end());
    TY_ASSIGN(const ExecResult said, session->exec(command, options));
    if (said.ok()) return said.out;
    return programError(m_worker.path().filename().string() + " on " + name.text(), said.status.code, said.out,
                        said.err);
}

Result<std::string> SshLauncher::stageOwn(const HostName& name, const RunId& run, const run::OwnFolder& folder) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    FolderContent content{folder.root, {}};
    for (const auto& file : folder.files) content.files.push_back({file.path, file.digest, file.bytes});
    TY_ASSIGN(const Staged staged, stageFolder(*session, host->basics(), content));
    if (staged.bytesSent > 0) say(name.text() + ": copied the program's code (" + sizeText(staged.bytesSent) + ")");
    std::vector<std::string> programs;
    for (const auto& file : folder.files)
        if (file.isProgram) programs.push_back(file.path);
    return copyForRun(*session, staged.path, host->basics().cache + "/runs/" + run.text() + "/" + folder.name,
                      programs);
}

Result<void> SshLauncher::fetchTree(const HostName& name, const std::string& remote, const fs::path& local) {
    TY_ASSIGN(const auto host, find(name));
    MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->sessionForCopies());
    lock.unlock();
    return fetchFileOrFolder(*session, remote, local, m_digests);
}

Result<std::string> SshLauncher::stage(const HostName& name, const fs::path& local) {
    return place(name, local, run::DataPlacement::Auto);
}

Result<std::string> SshLauncher::place(const HostName& name, const fs::path& local, run::DataPlacement placement) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    if (placement == run::DataPlacement::Shared) return sharedPath(*session, local);
    const LooksFor looksFor = placement == run::DataPlacement::Copy ? LooksFor::Copies : LooksFor::SamePath;
    TY_ASSIGN(const Staged staged, stagePath(*session, host->basics(), local, m_digests, host->madeHere(), looksFor));
    if (staged.bytesSent > 0) say(name.text() + ": copied " + local.string() + " (" + sizeText(staged.bytesSent) + ")");
    return staged.path;
}

Result<void> SshLauncher::fetch(const HostName& name, const std::string& remote, const fs::path& local) {
    TY_ASSIGN(const auto host, find(name));
    MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->sessionForCopies());
    lock.unlock(); // other calls do not wait for a slow copy
    TY_ASSIGN(const std::string digest, fetchFile(*session, remote, local));
    lock.lock();
    host->fetched(*session, remote, digest);
    return {};
}

Result<void> SshLauncher::remove(const HostName& name, const std::vector<std::string>& files) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    std::vector<std::string> words{"rm", "-f", "--"};
    words.insert(words.end(), files.begin(), files.end());
    TY_ASSIGN(const ExecResult result, session->exec(words));
    if (!result.ok())
        return environmentError("files cannot be removed on the host: " + result.complaint(), session->host().label());
    return {};
}

Result<run::Launcher::HostInfo> SshLauncher::prepare(const HostName& name, const RunId& run) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    TY_TRY(deploy(name, *host, *session)); // now, so that the ranks of all hosts start together later
    return host->prepare(*session, run);
}

Result<std::vector<std::string>> SshLauncher::list(const HostName& name, const std::string& folder) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    return namesIn(*session, folder);
}

Result<int> SshLauncher::signalAll(const HostName& name, const RunId& run, int signalNumber) {
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    TY_ASSIGN(const auto session, host->session());
    return signalWorkersOf(*session, run, signalNumber);
}

Result<std::shared_ptr<SshSession>> SshLauncher::sessionWith(const HostName& name) {
    if (name.empty()) return std::shared_ptr<SshSession>(); // this computer
    TY_ASSIGN(const auto host, find(name));
    const MutexLock lock(host->mutex);
    return host->session();
}

// On a busy host a visit may be late: twice is no accident.
Result<std::optional<double>> SshLauncher::checkWay(const HostName& from, const HostName& to,
                                                    const std::string& address) {
    const auto here = sessionWith(from), there = sessionWith(to);
    if (!here || !there || !(*here || *there)) return std::optional<double>();
    for (int left = kWayTries;; --left) {
        const auto reached = !*there  ? probePortHere(address, **here)
                             : !*here ? probePort(**there, address)
                                      : probePortFrom(**there, address, **here);
        if (reached) return reached->bytesPerSecond;
        if (reached.error().code != ErrorCode::HostUnsuitable) return std::optional<double>();
        if (left == 1) return reached.error();
    }
}

} // namespace

std::unique_ptr<run::Launcher> makeSshLauncher(SshLauncherOptions options) {
    return std::make_unique<SshLauncher>(std::move(options));
}

Result<void> signInToHosts(const HostBook& book, const std::vector<std::string>& names, const ConnectOptions& options) {
    run::HostTasks tasks;
    std::map<std::string, Result<void>> ends;
    for (const auto& name : names) {
        TY_ASSIGN(const HostEntry host, book.resolve(name));
        tasks.start<Result<void>>(
            name, [host, options] { return signInForSupervisor(host, options); },
            [&ends, name](Result<void> end) { ends.insert_or_assign(name, std::move(end)); });
    }
    tasks.finish();
    for (const auto& name : names)
        if (const auto& end = ends.at(name); !end) return end.error();
    return {};
}

} // namespace trainyard::remote
