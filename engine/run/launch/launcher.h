// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/text/name_of.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

// One launched worker. frameFd() carries its frames in both directions, logFd() its stderr; both are non-blocking
// descriptors for poll(), also for a worker on another host. End of file on frameFd(): the worker, or the link to it,
// is gone.
class WorkerProcess {
public:
    virtual ~WorkerProcess() = default; // ends the worker if it still runs
    virtual int frameFd() const = 0;
    virtual int logFd() const = 0;
    // Sends the signal to the worker's whole process group; nothing happens if it is gone.
    virtual void signal(int signalNumber) = 0;
    // How it ended; nothing while it runs. Never blocks.
    virtual std::optional<ExitStatus> exitStatus() = 0;
    virtual std::int64_t pid() const = 0; // on its own host; 0 until known

    // Since when (monotonic) its host has been silent although the worker may go on there; the launcher keeps trying
    // to reach it. Nothing: the host answers, or the worker has ended.
    virtual std::optional<double> awaySince() const { return std::nullopt; }
    // Why the last try to reach its silent host failed; nothing: unknown.
    virtual std::optional<Error> awayError() const { return std::nullopt; }
    // Stop waiting for its host: from now on the worker reads as lost with the connection.
    virtual void giveUp() {}

    // Whether the worker can be put back after its run and handed out again (kept_workers.h).
    virtual bool canStay() const { return false; }
    virtual bool hasTrained() const { return false; } // it has been handed out before
    // Puts back a worker that has sent Free: from now on it reads as exited with 0.
    virtual void putBack() {}
};

// A request to start a worker.
struct LaunchRequest {
    HostName host;                                  // empty: this computer
    std::vector<std::string> arguments;             // of trainyard-worker
    std::map<std::string, std::string> environment; // added to the host's own
    std::string runJson{}; // of the run that the worker is for, so that a pool can have its data at hand
    // The settings that a worker keeps for life. It is handed out again only to requests with the same text; empty: a
    // fresh worker, which does not stay.
    std::string lasting{};
    bool fresh = false; // whatever was put back
    RunId run{};
    // The worker saves and ends by itself when its supervisor is gone. Else its host ends it.
    bool endsItself = false;
    // Seconds for which a worker on another host goes on while its connection is lost, and is found again
    // (WorkerProcess::awaySince). 0: it is lost with the connection.
    double linkSeconds = 0;
};

// A folder for one run, of which these files are copied.
struct OwnFolder {
    struct File {
        std::string path, digest; // relative; SHA-256, hexadecimal
        std::int64_t bytes = 0;
        bool isProgram = false;
    };
    std::filesystem::path root; // on this computer
    std::string name;           // in the run's folder
    std::vector<File> files{};  // ascending
};

// Where hosts have the data of a run from.
enum class DataPlacement {
    Auto,   // what is at the same path, if it has the same content; else a copy
    Shared, // what is at the same path: names and sizes are compared, and nothing is copied
    Copy    // a copy, whatever is at the same path
};
// Rule: which words "placement" of a dataset knows; another one is Auto.
inline DataPlacement placementOf(std::string_view word) {
    return word == "shared" ? DataPlacement::Shared : word == "copy" ? DataPlacement::Copy : DataPlacement::Auto;
}

// Starts workers on one kind of host. Calls block for as long as a start takes (local: ms; SSH: the handshake, and on
// first use the copy of missing files).
class Launcher {
public:
    virtual ~Launcher() = default;
    // FileMissing: what prepare() and stage() have brought to the host for this run is not there any more.
    virtual Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request) = 0;
    // From now on, reports slow steps ("h2: copying the libraries that it lacks") to `told`, from any thread.
    virtual void listen(std::function<void(const std::string&)> /*told*/) {}
    // Makes a file of this computer readable on the host; returns its path there.
    virtual Result<std::string> stage(const HostName& host, const std::filesystem::path& local) = 0;
    // The same for data of a dataset, as its parameter "placement" says.
    virtual Result<std::string> place(const HostName& host, const std::filesystem::path& local,
                                      DataPlacement /*placement*/) {
        return stage(host, local);
    }
    // The same for a folder that the run may write to: a copy that is its own, in the run's folder there. One that is
    // there stays as it is.
    virtual Result<std::string> stageOwn(const HostName& host, const RunId& /*run*/, const OwnFolder& folder) {
        return stage(host, folder.root);
    }
    // Runs the launcher's program there with these words, and returns what it prints. An error that it prints
    // (error_json.h) is this one's.
    virtual Result<std::string> ask(const HostName& host, const std::vector<std::string>& words) = 0;
    // Copies a file or folder of the host to `local`; nothing of it is removed there. A link is followed.
    virtual Result<void> fetchTree(const HostName& host, const std::string& remote,
                                   const std::filesystem::path& local) = 0;
    // Copies a file of the host to `local`, atomically.
    virtual Result<void> fetch(const HostName& host, const std::string& remote, const std::filesystem::path& local) = 0;
    // Removes files of a run from the host; no error if they are gone.
    virtual Result<void> remove(const HostName& host, const std::vector<std::string>& files) = 0;
    // The host's address for the other hosts of the run, and a folder there for the run's files.
    struct HostInfo {
        std::string address;
        std::string folder;
        int cores = 1;
        int devices = 0; // of another computer: CUDA devices that ranks may be given by their numbers
    };
    virtual Result<HostInfo> prepare(const HostName& host, const RunId& run) = 0;
    // The names of the files in a folder of the host; none if the folder does not exist.
    virtual Result<std::vector<std::string>> list(const HostName& host, const std::string& folder) = 0;
    // Finds the processes of a run's workers on the host, whoever launched them, and sends them the signal (0: none).
    // Returns their number. Always 0 on this computer, whose process groups tell (process_check.h).
    virtual Result<int> signalAll(const HostName& host, const RunId& run, int signalNumber) = 0;
    // Whether `from` can reach ports that `to` opens at this address, as the ranks of a run need it; an empty host is
    // this computer. Returns the approximate throughput in bytes a second; nothing: unknown. Environment with code
    // HostUnsuitable, naming both: unreachable. No error if this cannot be tested.
    virtual Result<std::optional<double>> checkWay(const HostName& /*from*/, const HostName& /*to*/,
                                                   const std::string& /*address*/) {
        return std::optional<double>();
    }
};

// How a worker starts on this computer: as a program, or forked from a warm pool (worker_pool.h) if possible.
enum class StartBy { Program, Pool };

// Workers on this computer: own process group, frames over a socket pair. They end, or begin to end themselves
// (LaunchRequest::endsItself), with the process that launched them.
std::unique_ptr<Launcher> makeLocalLauncher(std::filesystem::path workerProgram, StartBy startBy = StartBy::Program);

// Exit code of a rank that ends for lack of memory where it cannot send a frame: before it has a channel, or in a
// thread that does not catch the exception. No command of the programs ends with it.
inline constexpr int kOutOfMemoryExit = 112;

} // namespace trainyard::run
