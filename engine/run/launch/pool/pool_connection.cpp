// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/pool_connection.h"

#include "engine/base/clock.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/cuda_devices.h"
#include "engine/run/launch/detached_server.h"
#include "engine/run/launch/pool/pool_fingerprint.h"
#include "engine/run/launch/private_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace trainyard::run {
namespace {

Error gone() { return environmentError("the pool of workers is gone"); }

// Of such a pool: a process with threads cannot be forked; a rank makes its own.
std::vector<std::string> environmentOfPool(std::map<std::string, std::string> added) {
    for (const char* threads : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) added[threads] = "1";
    added.erase(kVisibleDevices); // read by each rank for itself: one pool serves all
    return environmentWith(added);
}

} // namespace

bool waitReadable(int fd, double seconds) {
    const double until = monotonicSeconds() + seconds;
    for (double left = seconds;; left = until - monotonicSeconds()) {
        pollfd entry{fd, POLLIN, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::ceil(std::max(0.0, left) * 1000)));
        if (ready > 0) return true;
        if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
    }
}

bool poolIsWanted(const std::map<std::string, std::string>& added) {
    const char* wish = std::getenv("TRAINYARD_POOL");
    const char* preloaded = std::getenv("LD_PRELOAD");
    return !(wish && std::string_view(wish) == "off") && !(preloaded && *preloaded) && !added.contains("LD_PRELOAD");
}

bool mayComeFromPool(const LaunchRequest& request) {
    const bool known = request.arguments == std::vector<std::string>{"rank"} ||
                       (!request.arguments.empty() && request.arguments.front() == "serve");
    return known && poolIsWanted(request.environment);
}

std::shared_ptr<PoolConnection> PoolConnection::find(const ProgramFile& worker,
                                                     std::map<std::string, std::string> added,
                                                     const std::filesystem::path& folder) {
    const auto path = poolSocket(folder, worker.path(), environmentOfPool(std::move(added)));
    auto fd = fitsSocket(path) && !worker.replaced() ? connectToOwn(path) : UniqueFd();
    return fd ? std::make_shared<PoolConnection>(std::move(fd), false) : nullptr;
}

Result<std::shared_ptr<PoolConnection>> PoolConnection::open(const ProgramFile& worker,
                                                             std::map<std::string, std::string> added,
                                                             const std::filesystem::path& folder) {
    if (worker.replaced()) return environmentError("the worker program was replaced", worker.path().string());
    const auto environment = environmentOfPool(std::move(added));
    const auto path = poolSocket(folder, worker.path(), environment);
    if (!fitsSocket(path)) return environmentError("the path is too long for a socket", path.string());
    auto fd = connectToOwn(path);
    bool isNew = false;
    if (!fd) {
        // One of several programs that come at once starts the pool; the others then find it.
        const auto lockFile = std::filesystem::path(path).replace_extension(".lock");
        const UniqueFd lock(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return systemError("cannot lock", lockFile.string());
        fd = connectToOwn(path);
        if (!fd) {
            removeDeadSockets(folder);
            const auto listening = listenAt(path);
            if (!listening) return systemError("cannot make the socket of the pool of workers", path.string());
            startDetached({{worker.path().string(), "pool", path.string()},
                           environment,
                           std::filesystem::path(path).replace_extension(".log"),
                           {listening.get()}});
            isNew = true;
            fd = connectToOwn(path);
        }
    }
    if (!fd) return environmentError("the pool of workers cannot be reached", path.string());
    return std::make_shared<PoolConnection>(std::move(fd), isNew);
}

Result<void> PoolConnection::waitUntilReady() {
    const std::string question = encodePoolRequest({});
    if (!sendWithFds(m_fd.get(), question.data(), question.size(), {})) return gone();
    const double until = monotonicSeconds() + kReplySeconds;
    while (waitReadable(m_fd.get(), until - monotonicSeconds())) {
        std::vector<int> fds;
        const auto reply = receive(fds);
        for (const int fd : fds) ::close(fd);
        if (!reply) return gone();
        if (reply->kind == PoolReply::Ready) return {};
    }
    return environmentError("the pool of workers does not answer");
}

Result<PoolConnection::Started> PoolConnection::launch(const std::string& request, const RankFds& rankFds,
                                                       double seconds) {
    if (!sendWithFds(m_fd.get(), request.data(), request.size(), rankFds.list())) {
        lose();
        return gone();
    }
    const double until = monotonicSeconds() + seconds;
    while (waitReadable(m_fd.get(), until - monotonicSeconds())) {
        std::vector<int> fds;
        const auto reply = receive(fds);
        UniqueFd process(fds.empty() ? -1 : fds.front());
        if (!reply) return gone();
        if (reply->kind == PoolReply::Started && !process) { // it leaves when its channel is closed
            errno = EMFILE;
            return systemError("cannot take a worker over from the pool", {}, limitRemedy(errno));
        }
        if (reply->kind == PoolReply::Started) return Started{reply->pid, std::move(process)};
        if (reply->kind == PoolReply::Failed) {
            errno = reply->value;
            return systemError("the pool of workers cannot start a worker");
        }
    }
    return environmentError("the pool of workers does not answer");
}

std::optional<ExitStatus> PoolConnection::exitOf(pid_t pid) {
    while (!m_lost && waitReadable(m_fd.get(), 0)) {
        std::vector<int> fds;
        (void)receive(fds);
        for (const int fd : fds) ::close(fd);
    }
    const auto found = m_exits.find(pid);
    if (found == m_exits.end()) return std::nullopt;
    return ExitStatus::ofWait(found->second);
}

// Ranks outlive the pool that started them and hold on to this object: not to a descriptor of a dead pool too.
void PoolConnection::lose() {
    m_lost = true;
    m_fd.reset();
}

std::optional<PoolReply> PoolConnection::receive(std::vector<int>& fds) {
    PoolReply reply;
    if (receiveWithFds(m_fd.get(), &reply, sizeof reply, fds) != static_cast<std::ptrdiff_t>(sizeof reply)) {
        lose();
        return std::nullopt;
    }
    if (reply.kind == PoolReply::Exited) m_exits[reply.pid] = reply.value;
    return reply;
}

} // namespace trainyard::run
