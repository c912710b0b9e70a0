// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: what a launcher keeps about one host.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/run/launch/program_file.h"
#include "remote/files/deploy.h"
#include "remote/files/stage.h"

#include <atomic>

namespace trainyard::remote {

// The address the other hosts of a run reach a host at: the one or the interface that its entry names, else the one
// that this computer reached it at.
Result<std::string> clusterAddress(SshSession& session, const HostBasics& basics);

// Names of the files in a folder of the host; none when there is no such folder.
Result<std::vector<std::string>> namesIn(SshSession& session, const std::string& folder);

// Sends a signal (0: none) to this user's processes that work for a run, whichever connection started them: the
// workers, and what those have started. Returns how many there are.
Result<int> signalWorkersOf(SshSession& session, const std::string& run, int signalNumber);

// What is known of a worker that outlives the connection (held_worker.h).
struct HeldMark {
    enum class State {
        Held,
        Left, // it may live, and nobody waits for it
        Ended
    };
    std::atomic<State> state{State::Held};
};

// The connections to one host, and what was started over them.
class RemoteHost {
public:
    RemoteHost(HostEntry entry, ConnectOptions options) : m_entry(std::move(entry)), m_options(std::move(options)) {}

    Mutex mutex;

    // A living connection with room for another channel; made, or made anew, when there is none. Workers that a lost
    // connection left behind on the host are ended first, and have 5 s to save; not those that outlive it.
    Result<std::shared_ptr<SshSession>> session() TY_REQUIRES(mutex);
    // The same for those who try again and again to reach a host that was lost. Takes the mutex itself. They fail at
    // once, with the error of the last try, while it is not time for another one.
    Result<std::shared_ptr<SshSession>> sessionAgain();
    // For what comes from the host in bulk: a connection of its own, behind whose bytes no frame of a worker waits;
    // else one as above.
    Result<std::shared_ptr<SshSession>> sessionForCopies() TY_REQUIRES(mutex);
    const HostBasics& basics() const TY_REQUIRES(mutex) { return m_basics; }
    const std::string& alias() const { return m_entry.alias; }
    // Once for each connection and worker program, and again where it is gone when a rank has ended. Without a relay
    // where there is no such file. `say`: as of SshLauncherOptions.
    Result<Deployed> deploy(SshSession& session, const run::ProgramFile& worker, const run::ProgramFile& relay,
                            DigestCache& digests, const std::function<void(const std::string&)>& say)
        TY_REQUIRES(mutex);
    Result<run::Launcher::HostInfo> prepare(SshSession& session, const std::string& run) const TY_REQUIRES(mutex);
    // `held`: none, or of one that outlives the connection.
    void launched(std::int64_t pid, std::string mark, std::shared_ptr<const HeldMark> held) TY_REQUIRES(mutex) {
        m_launched.push_back({pid, std::move(mark), std::move(held)});
    }
    // The newest file fetched from each folder, by digest: a checkpoint that the run may go on from.
    std::map<std::string, std::string> madeHere() const TY_REQUIRES(mutex);
    // Notes a fetched file. The one fetched before it from the same folder of a run is removed from the host, as this
    // computer has it.
    void fetched(SshSession& session, const std::string& remote, const std::string& digest) TY_REQUIRES(mutex);

private:
    void endLeftovers(SshSession& session, bool reconnected) TY_REQUIRES(mutex);

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
