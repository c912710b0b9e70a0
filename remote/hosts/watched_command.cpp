// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/watched_command.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace trainyard::remote {
namespace {

// The command's words are the parameters. Its group is that of this shell. The end of the input, which sshd brings
// about when the connection ends, ends the group; a process that has left the group goes on.
constexpr const char* kWatchScript = R"sh(
exec 3<&0 < /dev/null
(
  trap '' TERM HUP INT
  while read -r _; do :; done <&3
  kill -s TERM -- "-$$"
  tries=50
  while [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
  kill -s KILL -- "-$$"
) > /dev/null 2>&1 &
watcher=$!
exec 3<&-
"$@"
code=$?
kill -s KILL "$watcher" 2> /dev/null
exit "$code"
)sh";

constexpr int kLookMs = 100;

class Watched {
public:
    Watched(SshChannel& channel, const CommandWatch& watch) : m_channel(channel), m_watch(watch) {}

    void run() {
        while (m_open[0] || m_open[1]) {
            std::array<pollfd, 2> fds{
                {{m_open[0] ? m_channel.dataFd() : -1, POLLIN, 0}, {m_open[1] ? m_channel.logFd() : -1, POLLIN, 0}}};
            ::poll(fds.data(), fds.size(), kLookMs);
            for (std::size_t i = 0; i < fds.size(); ++i)
                if (fds[i].revents != 0) m_open[i] = gather(fds[i].fd, i == 1);
            if (!m_stopping && m_watch.stop && m_watch.stop()) {
                m_stopping = true;
                m_channel.endInput();
            }
        }
    }

private:
    // False at the end of the stream.
    bool gather(int fd, bool isError) {
        const ssize_t count = ::recv(fd, m_buffer.data(), m_buffer.size(), MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (count <= 0) return false;
        if (m_watch.take) m_watch.take({m_buffer.data(), static_cast<std::size_t>(count)}, isError);
        return true;
    }

    SshChannel& m_channel;
    const CommandWatch& m_watch;
    std::array<bool, 2> m_open{true, true};
    bool m_stopping = false;
    std::vector<char> m_buffer = std::vector<char>(64u << 10);
};

} // namespace

Result<run::ExitStatus> runWatched(SshSession& session, const std::vector<std::string>& arguments,
                                   const std::map<std::string, std::string>& environment, const CommandWatch& watch) {
    std::vector<std::string> words{"/bin/sh", "-c", kWatchScript, "trainyard"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    TY_ASSIGN(const auto channel, session.start(words, environment));
    Watched(*channel, watch).run();
    constexpr double kEndSeconds = 10; // the output has ended, the exit status follows
    const bool ended = channel->waitForEnd(kEndSeconds);
    if (const std::string reason = channel->lossReason(); !reason.empty())
        return connectionLost(reason, session.host().label());
    if (!ended) return environmentError("a command closed its output but did not end", session.host().label());
    return *channel->exitStatus();
}

std::vector<std::string> byShell(const std::string& commandLine) {
    return {"/bin/sh", "-c", "exec \"${SHELL:-/bin/sh}\" -c \"$1\"", "trainyard", commandLine};
}

int shellCode(const run::ExitStatus& status) { return status.signalled ? 128 + status.code : status.code; }

} // namespace trainyard::remote
