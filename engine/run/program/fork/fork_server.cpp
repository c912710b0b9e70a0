// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/fork_server.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/detached_server.h"
#include "engine/run/launch/pool/pool_fingerprint.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/private_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fork_server_source.h>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostServers = 2;
// What ranks show of themselves in /proc needs room there.
constexpr std::size_t kRoomForMark = 200, kRoomForWords = 4000;
constexpr const char* kLoader = "exec(compile(open(4, 'rb').read(), 'trainyard fork server', 'exec'))";
constexpr std::string_view kPrefix = "fork-", kSuffix = ".sock";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

std::vector<std::string> assignments(const program::Variables& variables) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : variables) texts.push_back(name + "=" + value);
    return texts;
}

fs::path socketOf(const ForkServerKind& kind, const fs::path& folder) {
    auto texts = assignments(kind.variables);
    texts.push_back(joined(kind.modules));
    texts.emplace_back(kForkServerSource);
    return folder / (std::string(kPrefix) + inheritancePrint(kind.interpreter, texts) + std::string(kSuffix));
}

// A server that has imported listens itself, so the socket names it; before, a keeper does.
void endServerAt(const fs::path& socket) {
    const auto line = connectToOwn(socket);
    ucred peer{};
    socklen_t size = sizeof peer;
    if (line && ::getsockopt(line.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 1) {
        const auto words = readFile("/proc/" + std::to_string(peer.pid) + "/cmdline", 64u << 10);
        if (words && words->find(kLoader) != words->npos && words->find(socket.string()) != words->npos)
            ::kill(peer.pid, SIGTERM);
    }
    std::error_code ignored;
    fs::remove(socket, ignored);
}

void makeRoom(const fs::path& folder) {
    std::error_code failure;
    std::vector<std::pair<fs::file_time_type, fs::path>> servers;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        const std::string name = at->path().filename().string();
        std::error_code gone;
        const auto used = at->last_write_time(gone);
        if (!gone && name.starts_with(kPrefix) && name.ends_with(kSuffix)) servers.emplace_back(used, at->path());
    }
    std::sort(servers.begin(), servers.end());
    for (std::size_t i = 0; i + kMostServers <= servers.size(); ++i) endServerAt(servers[i].second);
}

Result<void> startServer(const ForkServerKind& kind, const fs::path& socket) {
    const UniqueFd source(::memfd_create("trainyard fork server", MFD_CLOEXEC));
    if (!source || ::write(source.get(), kForkServerSource.data(), kForkServerSource.size()) !=
                       static_cast<ssize_t>(kForkServerSource.size()))
        return systemError("cannot start a fork server", {}, limitRemedy(errno));
    ::lseek(source.get(), 0, SEEK_SET);
    const auto listening = listenAt(socket);
    if (!listening) return systemError("cannot make the socket of a fork server", socket.string());
    auto environment = assignments(kind.variables);
    environment.insert(environment.begin(), "TRAINYARD_FORK_ROOM=" + std::string(kRoomForMark, '.'));
    startDetached({{kind.interpreter.string(), "-c", kLoader, socket.string(), joined(kind.modules),
                    std::string(kRoomForWords, ' ')},
                   std::move(environment),
                   fs::path(socket).replace_extension(".log"),
                   {listening.get(), source.get()}});
    return {};
}

} // namespace

Result<UniqueFd> reachForkServer(const ForkServerKind& kind, const fs::path& folder) {
    const auto socket = socketOf(kind, folder);
    if (!fitsSocket(socket)) return environmentError("the path is too long for a socket", socket.string());
    if (auto line = connectToOwn(socket)) return line;
    // One of several keepers that come at once starts the server; the others then find it.
    const auto lockFile = folder / "fork.lock";
    const UniqueFd lock(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return systemError("cannot lock", lockFile.string());
    if (auto line = connectToOwn(socket)) return line;
    removeDeadSockets(folder);
    makeRoom(folder);
    TY_TRY(startServer(kind, socket));
    if (auto line = connectToOwn(socket)) return line;
    return environmentError("the fork server cannot be reached", socket.string());
}

Result<UniqueFd> sendForkRequest(int line, const ForkRequest& request, int printed) {
    const auto text = encodeForkRequest(request);
    if (text.size() > kMaxForkRequest) return environmentError("the environment is too large for a fork server");
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return systemError("cannot make a line to a rank", {}, limitRemedy(errno));
    UniqueFd ours(ends[0]);
    const UniqueFd theirs(ends[1]);
    if (!sendWithFds(line, text.data(), text.size(), {printed, theirs.get()}))
        return environmentError("the fork server is gone");
    return ours;
}

} // namespace trainyard::run
