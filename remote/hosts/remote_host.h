// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a launcher's state for one host.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/run/launch/programs.h"
#include "remote/files/deploy.h"
#include "remote/files/stage.h"

#include <atomic>

namespace trainyard::remote {

// The address at which the other hosts of a run reach a host: the address or interface in its entry, else the one at
// which this computer reached it.
Result<std::string> clusterAddress(SshSession& session, const HostBasics& basics);

// Names of the files in a folder of the host; none if the folder does not exist.
Result<std::vector<std::string>> namesIn(SshSession& session, const std::string& folder);

// Sends a signal (0: none) to this user's processes for a run, whichever connection started them: workers and their
// children. Returns their number.
Result<int> signalWorkersOf(SshSession& session, const RunId& run, int signalNumber);

// A worker that outlives the connection (held_worker.h).
struct HeldMark {
    enum class State {
        Held,
        Left, // it may live, and nobody waits for it
        Ended
    };
    std::atomic<State> state{State::Held};
};

// The connections to one host, and the processes started over them.
class RemoteHost {
public:
    RemoteHost(HostEntry entry, ConnectOptions options) : m_entry(std::move(entry)), m_options(std::move(options)) {}

    Mutex mutex;

    // A living connection with room for another channel, made if there is none. First ends workers that a lost
    // connection left on the host, with 5 s to save, except those that outlive it.
    Result<std::shared_ptr<SshSession>> session() TY_REQUIRES(mutex);
    // For repeated attempts to reach a lost host. Takes the mutex itself. Between attempts it fails at once with the
    // last error.
    Result<std::shared_ptr<SshSession>> sessionAgain();
    // For bulk data from the host: a connection of its own, so that frames of workers do not wait behind it; else one
    // as above.
    Result<std::shared_ptr<SshSession>> sessionForCopies() TY_REQUIRES(mutex);
    const HostBasics& basics() const TY_REQUIRES(mutex) { return m_basics; }
    const std::string& alias() const { return m_entry.alias; }
    // Once for each connection and worker program, and again if it is gone after a rank has ended. No relay without
    // such a file. `say`: as in SshLauncherOptions.
    Result<Deployed> deploy(SshSession& session, const run::ProgramFile& worker, const run::ProgramFile& relay,
                            DigestCache& digests, const std::function<void(const std::string&)>& say)
        TY_REQUIRES(mutex);
    Result<run::Launcher::HostInfo> prepare(SshSession& session, const RunId& run) TY_REQUIRES(mutex);
    // Whether what was brought there since prepare() is gone with the program.
    bool hasLostFilesOf(SshSession& session, const RunId& run) TY_REQUIRES(mutex);
    // `held`: the mark of a worker that outlives the connection, or none.
    void launched(std::int64_t pid, std::string mark, std::shared_ptr<const HeldMark> held) TY_REQUIRES(mutex) {
        m_launched.push_back({pid, std::move(mark), std::move(held)});
    }
    // The newest file fetched from each folder, by digest: a checkpoint from which the run may continue.
    std::map<std::string, std::string> madeHere() const TY_REQUIRES(mutex);
    // Notes a fetched file, and removes the one fetched before it from the same folder of a run from the host, as this
    // computer has it.
    void fetched(SshSession& session, const std::string& remote, const std::string& digest) TY_REQUIRES(mutex);

private:
    void endLeftovers(SshSession& session, bool reconnected) TY_REQUIRES(mutex);
    void lookForProgram(SshSession& session) TY_REQUIRES(mutex);

    struct Launched {
        std::int64_t pid;
        std::string mark;
        std::shared_ptr<const HeldMark> held;
    };
    const HostEntry m_entry;
    const ConnectOptions m_options;
    std::vector<std::shared_ptr<SshSession>> m_sessions TY_GUARDED_BY(mutex);
    std::shared_ptr<SshSession> m_copySession TY_GUARDED_BY(mutex);
    HostBasics m_basics TY_GUARDED_BY(mutex);
    bool m_known TY_GUARDED_BY(mutex) = false;    // m_basics
    bool m_anyEnded TY_GUARDED_BY(mutex) = false; // since m_deployed was looked at
    std::filesystem::path m_deployedFrom TY_GUARDED_BY(mutex);
    Deployed m_deployed TY_GUARDED_BY(mutex);
    std::map<RunId, bool> m_prepared TY_GUARDED_BY(mutex); // runs, and whether their files are still there
    std::vector<Launched> m_launched TY_GUARDED_BY(mutex);
    int m_failures TY_GUARDED_BY(mutex) = 0; // of sessionAgain() in a row
    std::optional<Error> m_lastFailure TY_GUARDED_BY(mutex);
    double m_nextTry TY_GUARDED_BY(mutex) = 0; // monotonic
    struct Fetched {
        std::string path, digest;
    };
    std::map<std::string, Fetched> m_fetched TY_GUARDED_BY(mutex); // by folder
};

} // namespace trainyard::remote
