// SPDX-License-Identifier: GPL-3.0-or-later
// cluster exec: a command on every host, its output by line with the host before it.
// cluster forward: ports of a host at this computer, until Ctrl+C.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/text/printable.h"
#include "remote/hosts/connect.h"
#include "remote/hosts/watched_command.h"
#include "remote/ssh/port_forward.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace trainyard::ctl {
namespace {

// The output of all hosts; a line is never torn by another host's. Any thread.
class HostLines {
public:
    explicit HostLines(std::size_t widest) : m_widest(widest) {}
    void add(const std::string& alias, std::string_view bytes, bool isError) {
        const MutexLock lock(m_mutex);
        std::string& rest = m_rest[{alias, isError}];
        rest.append(bytes);
        for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
            print(alias, rest.substr(0, end), isError);
        if (rest.size() > kLongest) print(alias, std::exchange(rest, {}), isError);
    }
    // What has come without a line's end.
    void end(const std::string& alias) {
        const MutexLock lock(m_mutex);
        for (const bool isError : {false, true})
            if (std::string rest = std::exchange(m_rest[{alias, isError}], {}); !rest.empty())
                print(alias, std::move(rest), isError);
    }

private:
    static constexpr std::size_t kLongest = 1u << 20;

    // A terminal shows foreign text, and does not interpret it.
    void print(const std::string& alias, std::string line, bool isError) const {
        std::FILE* to = isError ? stderr : stdout;
        if (::isatty(::fileno(to)) != 0) {
            std::ranges::replace(line, '\t', ' ');
            if (line.ends_with('\r')) line.pop_back();
            line = printable(line, std::string::npos);
        }
        const std::string head = alias + ": " + std::string(m_widest - std::min(m_widest, alias.size()), ' ');
        std::fputs(head.c_str(), to);
        std::fwrite(line.data(), 1, line.size(), to);
        std::fputc('\n', to);
        std::fflush(to);
    }

    const std::size_t m_widest;
    Mutex m_mutex;
    std::map<std::pair<std::string, bool>, std::string> m_rest TY_GUARDED_BY(m_mutex);
};

// One word with a space in it is a command line, as people write it after `ssh host`.
std::vector<std::string> wordsOf(const std::vector<std::string>& command) {
    const bool isLine = command.size() == 1 && command[0].find_first_of(" \t\n") != std::string::npos;
    return isLine ? remote::byShell(command[0]) : command;
}

Result<int> execOn(const remote::ClusterMember& member, const std::vector<std::string>& words,
                   const remote::ConnectOptions& connect, HostLines& lines) {
    TY_ASSIGN(const auto session, remote::connectToHost(member.host, connect));
    const std::string& alias = member.host.alias;
    const remote::CommandWatch watch{[&](std::string_view bytes, bool isError) { lines.add(alias, bytes, isError); },
                                     [] { return interrupts() > 0; }};
    auto end = remote::runWatched(*session, words, member.needs.environment, watch);
    lines.end(alias);
    TY_ASSIGN(const run::ExitStatus status, std::move(end));
    if (interrupts() == 0 && remote::shellCode(status) != 0) sayOf(alias, status.text());
    return remote::shellCode(status);
}

Result<int> forwardPorts(ClusterOptions options) {
    options.hosts = {options.host};
    std::vector<remote::ForwardedPort> ports;
    for (const auto& text : options.ports) {
        TY_ASSIGN(const auto port, remote::parseForwardedPort(text));
        ports.push_back(port);
    }
    TY_ASSIGN(const auto chosen, chooseCluster(options, ClusterFrom::Record));
    const auto& host = chosen.members.front().host;
    const auto connect = askingOptions(false);
    TY_ASSIGN(auto session, remote::connectToHost(host, connect));
    TY_ASSIGN(auto forward, remote::PortForward::open(std::move(ports)));
    countInterrupts();
    for (const auto& port : forward.ports())
        std::printf("127.0.0.1:%d is port %d of %s; Ctrl+C ends it\n", port.local, port.remote, host.alias.c_str());
    std::fflush(stdout);
    while (interrupts() == 0) {
        const auto served = forward.serve(*session, 200, [&](const Error& error) { sayOf(host.alias, error.text()); });
        if (served) continue;
        sayOf(host.alias, served.error().text() + "; connecting again");
        TY_ASSIGN(session, remote::connectToHost(host, connect));
    }
    return 0;
}

} // namespace

int clusterExec(const ClusterOptions& options) {
    const auto chosen = chooseCluster(options, ClusterFrom::Record);
    if (!chosen) return fail(chosen.error());
    std::size_t widest = 0;
    for (const auto& member : chosen->members) widest = std::max(widest, member.host.alias.size());
    const auto lines = std::make_shared<HostLines>(widest);
    const auto words = wordsOf(options.command);
    const auto connect = askingOptions(options.acceptNewKeys);
    countInterrupts();
    const auto codes = onHosts<int>(chosen->members, [lines, words, connect](const auto& member) {
        const auto code = execOn(member, words, connect, *lines);
        if (code) return *code;
        sayOf(member.host.alias, code.error().text());
        return exitCode(code.error().kind);
    });
    return interrupts() > 0 ? exitCode(ErrorKind::Stopped) : *std::ranges::max_element(codes);
}

int clusterForward(const ClusterOptions& options) {
    const auto code = forwardPorts(options);
    return code ? *code : fail(code.error());
}

} // namespace trainyard::ctl
