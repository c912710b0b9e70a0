// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/pool_spares.h"

#include "engine/base/machine/cores.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/torch/worker/pool/pool.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <sched.h>
#include <utility>
#include <vector>

namespace trainyard::train {
namespace {

constexpr int kMostSpares = 8;

// All that a first step depends on.
std::string kindOfRun(const spec::RunSpec& run) {
    spec::RunSpec kind;
    kind.task = run.task;
    kind.model = run.model;
    kind.dataset = run.dataset;
    kind.seed = run.seed;
    kind.batch = run.batch;
    kind.precision = run.precision;
    kind.tuning = run.tuning;
    kind.optimizer = {run.optimizer.name, {}};
    return spec::toJson(kind);
}

} // namespace

StandbyWorkers::StandbyWorkers(Become become, std::function<void()> showAsSpare)
    : m_become(std::move(become)), m_showAsSpare(std::move(showAsSpare)) {}

void StandbyWorkers::keepFor(const spec::RunSpec& run) {
    const int ranks = spec::mostRanksOfOneHost(run.hosts, run.scaling.workers); // this is one of the hosts
    const auto wanted = static_cast<std::size_t>(std::clamp(std::min(ranks, availableCores()), 1, kMostSpares));
    auto kind = kindOfRun(run);
    if (kind != m_kind) letGo();
    m_kind = std::move(kind);
    while (m_spares.size() > wanted) {
        ::kill(m_spares.begin()->first, SIGKILL);
        m_spares.erase(m_spares.begin());
    }
    for (std::size_t missing = wanted - m_spares.size(); missing > 0; --missing) add(run);
}

void StandbyWorkers::letGo() {
    for (const auto& [pid, line] : m_spares) ::kill(pid, SIGKILL);
    m_spares.clear();
}

void StandbyWorkers::add(const spec::RunSpec& run) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return;
    UniqueFd mine(pair[0]), its(pair[1]);
    const pid_t pool = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::setpgid(0, 0);
        // The other spares' lines and the clients' must end with the pool, so no copy of them may live here.
        const int line = ::dup2(its.get(), 3);
        ::close_range(4, ~0U, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (line < 0 || ::getppid() != pool) ::_exit(0);
        wait(run, line);
    }
    if (pid < 0) return;
    ::setpgid(pid, pid); // both sides set it, so that it holds whichever runs first
    m_spares[pid] = std::move(mine);
}

void StandbyWorkers::wait(const spec::RunSpec& run, int line) {
    try {
        warmUpFor(run, [line] {
            pollfd entry{line, POLLIN, 0};
            return ::poll(&entry, 1, 0) != 0;
        });
    } catch (const std::exception&) { // what the run itself will say better; a rank can still begin here
    }
    m_showAsSpare();
    static std::array<char, run::kMaxPoolRequest> buffer;
    std::vector<int> fds;
    const auto got = run::receiveWithFds(line, buffer.data(), buffer.size(), fds);
    const auto its = run::RankFds::of(fds);
    if (got <= 0 || !its) ::_exit(0);
    ::prctl(PR_SET_PDEATHSIG, 0); // ranks outlive a pool that dies
    m_become({buffer.data(), static_cast<std::size_t>(got)}, *its);
    ::_exit(127);
}

pid_t StandbyWorkers::give(std::string_view message, const run::RankFds& fds) {
    if (m_spares.empty()) return -1;
    const auto oldest = m_spares.begin(); // by pid, as good as always
    const pid_t pid = oldest->first;
    const UniqueFd line = std::move(oldest->second);
    m_spares.erase(oldest);
    if (run::sendWithFds(line.get(), message.data(), message.size(), fds.list())) return pid;
    ::kill(pid, SIGKILL);
    return -1;
}

} // namespace trainyard::train
