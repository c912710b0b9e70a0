// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/programs.h"

#include <sys/types.h>

#include <map>

namespace trainyard::run {

// Whether a pool may start it: a rank or a replica of the worker program (other programs may not be safe after a fork),
// nothing preloaded, and TRAINYARD_POOL is not "off".
bool mayComeFromPool(const LaunchRequest& request);
// The part of it that holds for every process: nothing preloaded, here or in the added environment, and TRAINYARD_POOL
// is not "off".
bool poolIsWanted(const std::map<std::string, std::string>& added);

// A process's line to a pool of workers, `trainyard-worker pool`. When it closes, the pool wakes the ranks started
// over it, so that they end.
class PoolConnection {
public:
    struct Started {
        pid_t pid = 0;
        UniqueFd process; // pidfd
    };

    // Connects to the pool in a private folder that fits the worker program, this process and the ranks' additional
    // environment. Starts one if there is none; it is reparented and outlives this process. Does not wait until it is
    // ready. Environment: the program was replaced, or a socket is impossible.
    static Result<std::shared_ptr<PoolConnection>>
    open(const ProgramFile& worker, std::map<std::string, std::string> added, const std::filesystem::path& folder);
    // The same where one runs already; else null.
    static std::shared_ptr<PoolConnection> find(const ProgramFile& worker, std::map<std::string, std::string> added,
                                                const std::filesystem::path& folder);
    PoolConnection(UniqueFd fd, bool isNew) : m_fd(std::move(fd)), m_isNew(isNew) {}

    // Waits until the pool answers; it then answers requests in milliseconds. Environment: it does not.
    Result<void> waitUntilReady();
    // `request`: encodePoolRequest(). Environment: it cannot be sent or no answer comes in time; a rank may have
    // started all the same, unless the pool gave a reason.
    static constexpr double kReplySeconds = 8; // a pool that is only just starting on a loaded computer answers
    Result<Started> launch(const std::string& request, const RankFds& rankFds, double seconds = kReplySeconds);
    // How a rank ended, if the pool has reported it. Does not wait.
    std::optional<ExitStatus> exitOf(pid_t pid);

    int fd() const { return m_fd.get(); } // readable when the pool has told something; -1: lost
    bool lost() const { return m_lost; }
    bool isNew() const { return m_isNew; } // the pool was started for this connection

private:
    void lose();
    std::optional<PoolReply> receive(std::vector<int>& fds);

    UniqueFd m_fd;
    std::map<pid_t, int> m_exits; // as of waitpid
    bool m_isNew, m_lost = false;
};

// Whether the descriptor has something to read, or has ended, within that time.
bool waitReadable(int fd, double seconds);

} // namespace trainyard::run
