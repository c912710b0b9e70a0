// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/kept_workers.h"

#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/pool/worker_pool.h"

#include <algorithm>

namespace trainyard::run {
namespace {

// A worker without a run. Its old frames are the line over which it is woken.
struct WaitingWorker {
    std::unique_ptr<WorkerProcess> process;
    UniqueFd frames; // none: those that the process came with
    LaunchRequest madeFor;

    int line() const { return frames ? frames.get() : process->frameFd(); }
};
using WaitingWorkers = std::vector<WaitingWorker>;

bool isSame(const LaunchRequest& a, const LaunchRequest& b) {
    return a.host == b.host && a.arguments == b.arguments && a.environment == b.environment && a.lasting == b.lasting;
}

class KeptWorker final : public WorkerProcess {
public:
    // `channels`: of one that was woken.
    KeptWorker(std::shared_ptr<WaitingWorkers> waiting, std::unique_ptr<WorkerProcess> process, LaunchRequest madeFor,
               WorkerChannels channels)
        : m_waiting(std::move(waiting)), m_process(std::move(process)), m_madeFor(std::move(madeFor)),
          m_frames(std::move(channels.frames)), m_log(std::move(channels.log)), m_hasTrained(m_frames),
          m_pid(m_process->pid()) {}

    int frameFd() const override { return !m_process ? -1 : m_frames ? m_frames.get() : m_process->frameFd(); }
    int logFd() const override { return !m_process ? -1 : m_log ? m_log.get() : m_process->logFd(); }
    void signal(int signalNumber) override {
        if (m_process) m_process->signal(signalNumber);
    }
    std::optional<ExitStatus> exitStatus() override { return m_process ? m_process->exitStatus() : ExitStatus{}; }
    std::int64_t pid() const override { return m_pid; }
    bool canStay() const override { return true; }
    bool hasTrained() const override { return m_hasTrained; }
    void putBack() override {
        if (!m_process) return;
        m_waiting->push_back({std::move(m_process), std::move(m_frames), std::move(m_madeFor)});
        m_log.reset();
    }

private:
    std::shared_ptr<WaitingWorkers> m_waiting;
    std::unique_ptr<WorkerProcess> m_process; // none: put back
    LaunchRequest m_madeFor;
    UniqueFd m_frames, m_log; // none: those that the process came with
    bool m_hasTrained;
    std::int64_t m_pid;
};

class KeptWorkers final : public Launcher {
public:
    explicit KeptWorkers(std::unique_ptr<Launcher> launcher) : m_launcher(std::move(launcher)) {}

    Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request) override {
        if (request.lasting.empty()) return m_launcher->launch(request);
        while (!request.fresh) {
            const auto found = std::find_if(m_waiting->begin(), m_waiting->end(),
                                            [&](const auto& each) { return isSame(each.madeFor, request); });
            if (found == m_waiting->end()) break;
            auto worker = std::move(*found);
            m_waiting->erase(found);
            if (auto woken = wake(std::move(worker))) return woken;
        }
        m_waiting->clear(); // of another kind
        TY_ASSIGN(auto process, m_launcher->launch(request));
        return kept(std::move(process), request, {});
    }

    Result<std::string> stage(const HostName& host, const std::filesystem::path& local) override {
        return m_launcher->stage(host, local);
    }
    Result<std::string> place(const HostName& host, const std::filesystem::path& local,
                              DataPlacement placement) override {
        return m_launcher->place(host, local, placement);
    }
    Result<std::string> stageOwn(const HostName& host, const RunId& run, const OwnFolder& folder) override {
        return m_launcher->stageOwn(host, run, folder);
    }
    Result<std::string> ask(const HostName& host, const std::vector<std::string>& words) override {
        return m_launcher->ask(host, words);
    }
    Result<void> fetchTree(const HostName& host, const std::string& remote,
                           const std::filesystem::path& local) override {
        return m_launcher->fetchTree(host, remote, local);
    }
    Result<void> fetch(const HostName& host, const std::string& remote, const std::filesystem::path& local) override {
        return m_launcher->fetch(host, remote, local);
    }
    Result<void> remove(const HostName& host, const std::vector<std::string>& files) override {
        return m_launcher->remove(host, files);
    }
    Result<HostInfo> prepare(const HostName& host, const RunId& run) override { return m_launcher->prepare(host, run); }
    Result<std::vector<std::string>> list(const HostName& host, const std::string& folder) override {
        return m_launcher->list(host, folder);
    }
    Result<int> signalAll(const HostName& host, const RunId& run, int signalNumber) override {
        return m_launcher->signalAll(host, run, signalNumber);
    }

private:
    std::unique_ptr<WorkerProcess> kept(std::unique_ptr<WorkerProcess> process, LaunchRequest request,
                                        WorkerChannels channels) const {
        request.runJson.clear();
        return std::make_unique<KeptWorker>(m_waiting, std::move(process), std::move(request), std::move(channels));
    }

    // Nothing when it has died meanwhile.
    std::unique_ptr<WorkerProcess> wake(WaitingWorker worker) const {
        if (worker.process->exitStatus()) return nullptr;
        auto channels = WorkerChannels::make();
        const char word = 0;
        if (!channels ||
            !sendWithFds(worker.line(), &word, 1, {channels->workerFrames.get(), channels->workerLog.get()}))
            return nullptr;
        return kept(std::move(worker.process), std::move(worker.madeFor), std::move(*channels));
    }

    std::unique_ptr<Launcher> m_launcher;
    std::shared_ptr<WaitingWorkers> m_waiting = std::make_shared<WaitingWorkers>();
};

} // namespace

std::unique_ptr<Launcher> makeKeptWorkers(std::unique_ptr<Launcher> launcher) {
    return std::make_unique<KeptWorkers>(std::move(launcher));
}

} // namespace trainyard::run
