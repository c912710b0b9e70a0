// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// How a process ended.
struct ExitStatus {
    bool signalled = false;
    int code = 0;                         // exit code or signal number; signalled and 0: it is not known which signal
    bool hostLost = false;                // the connection to its host was lost: how it ended is not known
    static ExitStatus ofWait(int status); // as of waitpid
    std::string text() const;             // "exited with 1", "was killed by SIGKILL"
};

// One launched worker. Its frames travel over frameFd() in both directions, its stderr comes out of logFd(); both are
// non-blocking descriptors that poll() understands, also for a worker on another host. End of file on frameFd()
// means the worker, or the link to it, is gone.
class WorkerProcess {
public:
    virtual ~WorkerProcess() = default; // ends the worker if it still runs
    virtual int frameFd() const = 0;
    virtual int logFd() const = 0;
    // Ends the worker's whole process group with the given signal; quiet when it is gone already.
    virtual void signal(int signalNumber) = 0;
    // How it ended, or nothing while it runs. Never blocks.
    virtual std::optional<ExitStatus> exitStatus() = 0;
    virtual std::int64_t pid() const = 0; // on its own host; 0 until known

    // Since when (monotonic) nothing comes from its host although the worker may well go on there; it is tried to reach
    // it. Nothing: it is heard, or it has ended.
    virtual std::optional<double> awaySince() const { return std::nullopt; }
    // Why its host, which is away, could not be reached at the last try; nothing: it is not known.
    virtual std::optional<Error> awayError() const { return std::nullopt; }
    // Its host is not to be waited for any more: from now on it reads as lost with the connection.
    virtual void giveUp() {}

    // Whether the worker can be put back when its run is over, to be handed out again (kept_workers.h).
    virtual bool canStay() const { return false; }
    virtual bool hasTrained() const { return false; } // it has been handed out before
    // Puts a worker back that has said Free: from now on it reads as one that has exited with 0.
    virtual void putBack() {}
};

// What a launcher is asked to start.
struct LaunchRequest {
    std::string host;                               // empty: this computer
    std::vector<std::string> arguments;             // of trainyard-worker
    std::map<std::string, std::string> environment; // added to the host's own
    std::string runJson{}; // of the run that the worker is for, so that a pool can have its data at hand
    // What a worker takes on for the rest of its life. Only one that was asked for with the same words is handed out
    // again; empty: the worker is to be a fresh one, and does not stay.
    std::string lasting{};
    bool fresh = false; // whatever was put back
    std::string run{};  // its id
    // The worker ends by itself when its supervisor is gone, and saves first. Else its host ends it then.
    bool endsItself = false;
    // A worker on another host goes on there for so many seconds while the connection to it is lost, and is found again
    // (WorkerProcess::awaySince). 0: it is lost with the connection.
    double linkSeconds = 0;
};

// Starts workers on one kind of host. Calls block for the time a start takes (local: ms; SSH: the handshake, and the
// copy of what is missing on first use).
class Launcher {
public:
    virtual ~Launcher() = default;
    virtual Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request) = 0;
    // From now on, what takes long ("h2: copying the libraries that it lacks") is told there, from any thread.
    virtual void listen(std::function<void(const std::string&)> /*told*/) {}
    // A file of this computer made readable on the host; returns its path there.
    virtual Result<std::string> stage(const std::string& host, const std::filesystem::path& local) = 0;
    // A file of the host brought to `local`, atomically.
    virtual Result<void> fetch(const std::string& host, const std::string& remote,
                               const std::filesystem::path& local) = 0;
    // Removes a file of a run from the host; quiet when it is gone already.
    virtual Result<void> remove(const std::string& host, const std::string& file) = 0;
    // The address of the host that the other hosts of the run reach it at, and a folder for the run's files there.
    struct HostInfo {
        std::string address;
        std::string folder;
        int cores = 1;
        int devices = 0; // of another computer: CUDA devices that ranks may be given by their numbers
    };
    virtual Result<HostInfo> prepare(const std::string& host, const std::string& run) = 0;
    // The names of the files in a folder of the host; none when there is no such folder.
    virtual Result<std::vector<std::string>> list(const std::string& host, const std::string& folder) = 0;
    // Looks up on the host which processes of a run's workers live there, whoever launched them, and sends them the
    // signal (0: none). Returns how many there are. On this computer the process groups tell (process_check.h), and
    // this is always 0.
    virtual Result<int> signalAll(const std::string& host, const std::string& run, int signalNumber) = 0;
    // Whether ports that `to` opens at this address of its can be reached from `from`, as the ranks of a run need it;
    // empty: this computer. Returns how many bytes a second about come through; nothing: not known. Environment with
    // code HostUnsuitable, naming both: they cannot. Where that cannot be found out, nothing is said.
    virtual Result<std::optional<double>> checkWay(const std::string& /*from*/, const std::string& /*to*/,
                                                   const std::string& /*address*/) {
        return std::optional<double>();
    }
};

// How a worker on this computer is started: as a program, or forked from a warm pool (worker_pool.h) where possible.
enum class StartBy { Program, Pool };

// Workers on this computer: own process group, frames over a socket pair. With the process that launched them they end,
// or begin to end themselves (LaunchRequest::endsItself).
std::unique_ptr<Launcher> makeLocalLauncher(std::filesystem::path workerProgram, StartBy startBy = StartBy::Program);

} // namespace trainyard::run
