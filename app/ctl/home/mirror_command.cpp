// SPDX-License-Identifier: GPL-3.0-or-later
// mirror: started by the window. Follows all runs and sweeps of the workspace that live on hosts into the copy here,
// each host on a thread of its own, until its input ends. A process of its own, so that no link can hold the window up.
#include "app/ctl/home/mirror_command.h"

#include "app/ctl/home/host_mirror.h"
#include "app/ctl/home/slurm_mirror.h"
#include "engine/base/machine/mutex.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/sweep/control/slurm_sweep.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <thread>

namespace trainyard::ctl {
namespace {

constexpr int kHostsMs = 500; // between looks for hosts that are new
constexpr auto kCollectPace = std::chrono::seconds(5);

// Which hosts are followed now. Thread-safe.
class FollowedHosts {
public:
    bool begin(const std::string& host) {
        const MutexLock lock(m_mutex);
        return m_hosts.insert(host).second;
    }
    void end(const std::string& host) {
        const MutexLock lock(m_mutex);
        m_hosts.erase(host);
    }

private:
    Mutex m_mutex;
    std::set<std::string> m_hosts TY_GUARDED_BY(m_mutex);
};

// False once the input has ended: whoever started this program is gone.
bool isWanted(int waitMs) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, waitMs) <= 0) return true;
    char byte = 0;
    return ::read(STDIN_FILENO, &byte, 1) > 0;
}

[[noreturn]] void endProcess() {
    std::fflush(nullptr);
    ::_exit(0); // threads that wait for a host stay where they are; what they have written is whole
}

Result<int> mirror(const Session& session) {
    TY_ASSIGN(const auto workspace, session.workspace());
    std::error_code ignored;
    std::filesystem::create_directories(run::mirrorWorkspace(workspace).root, ignored);
    // Another window of the workspace may have one: that is enough.
    auto lock = store::RunLock::acquire(run::mirrorWorkspace(workspace).root);
    for (; !lock; lock = store::RunLock::acquire(run::mirrorWorkspace(workspace).root))
        if (!isWanted(kHostsMs)) endProcess();
    TY_ASSIGN(auto copy, run::MirrorCopy::open(workspace));
    LinkBook links(workspace);
    FollowedHosts followed;
    std::optional<std::set<std::string>> known;
    std::thread([&workspace] { // the trials of array jobs
        for (;; std::this_thread::sleep_for(kCollectPace)) sweep::collectSweeps(workspace);
    })
        .detach();
    do {
        std::set<std::string> noted;
        for (const auto& each : run::homeNotes(workspace)) {
            noted.insert(each.id);
            if (!followed.begin(each.host)) continue;
            std::thread([&, host = each.host] {
                if (host == spec::kSlurmHost) SlurmMirror(workspace, links).follow();
                else HostMirror(host, workspace, links).follow();
                followed.end(host);
            }).detach();
        }
        if (known != noted && copy.keepOnly(noted)) known = std::move(noted);
    } while (isWanted(kHostsMs));
    endProcess();
}

} // namespace

void addMirrorCommand(CLI::App& app, Session& session) {
    addHiddenCommand(app, session, "mirror", "follow the runs on other hosts (started by the window)", mirror);
}

} // namespace trainyard::ctl
