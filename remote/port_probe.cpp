// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/port_probe.h"

#include "engine/base/clock.h"
#include "remote/connect.h"
#include "remote/ssh_raw.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstdlib>

namespace trainyard::remote {
namespace {

// $1 address: listens at a free port, tells it, greets one visitor, and gives up after 10 s.
constexpr const char* kListenScript = R"sh(
if command -v perl > /dev/null; then
exec perl -e '
use Socket; alarm 10; $| = 1;
my $six = $ARGV[0] =~ /:/;
my $where = $six ? sockaddr_in6(0, Socket::inet_pton(AF_INET6, $ARGV[0])) : sockaddr_in(0, inet_aton($ARGV[0]));
socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die "socket: $!";
bind($s, $where) or die "bind: $!"; listen($s, 1) or die "listen: $!";
my @n = $six ? unpack_sockaddr_in6(getsockname($s)) : sockaddr_in(getsockname($s));
print "$n[0]\n"; accept(my $c, $s) or die "accept: $!"; syswrite($c, "ok\n"); shutdown($c, 1); sysread($c, my $x, 1);
' "$1"
elif command -v python3 > /dev/null; then
exec python3 -c '
import socket, sys
s = socket.create_server((sys.argv[1], 0), family=socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
s.settimeout(10); print(s.getsockname()[1], flush=True)
c, _ = s.accept(); c.sendall(b"ok\n"); c.close()
' "$1"
else echo none; fi
)sh";

// $1 address, $2 port: says "ok" when it was greeted.
constexpr const char* kVisitScript = R"sh(
if command -v perl > /dev/null; then
exec perl -e '
use Socket; alarm 5;
my $six = $ARGV[0] =~ /:/;
socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die "$!";
connect($s, $six ? sockaddr_in6($ARGV[1], Socket::inet_pton(AF_INET6, $ARGV[0]))
                 : sockaddr_in($ARGV[1], inet_aton($ARGV[0]))) or die "$!\n";
sysread($s, my $x, 2); print $x;
' "$1" "$2"
else exec timeout 5 bash -c 'exec 3<> "/dev/tcp/$0/$1" && head -c 2 <&3' "$1" "$2"; fi
)sh";

struct Listener {
    std::unique_ptr<SshChannel> channel;
    int port = 0; // 0: the host has nothing to listen with
};

Result<Listener> listenOn(SshSession& session, const std::string& address) {
    Listener listener;
    TY_ASSIGN(listener.channel, session.start({"/bin/sh", "-c", kListenScript, "trainyard", address}));
    std::string line;
    for (const double deadline = monotonicSeconds() + 10; monotonicSeconds() < deadline;) {
        pollfd ready{listener.channel->dataFd(), POLLIN, 0};
        ::poll(&ready, 1, 200);
        char c = 0;
        while (line.find('\n') == std::string::npos && ::recv(listener.channel->dataFd(), &c, 1, MSG_DONTWAIT) == 1)
            line += c;
        if (line.find('\n') != std::string::npos) {
            listener.port = std::atoi(line.c_str());
            return listener;
        }
        if (listener.channel->waitForEnd(0)) break;
    }
    return environmentError("the host cannot listen at its own address " + address, session.host().label(),
                            "correct the host's address field; list its addresses with: ip -o addr");
}

Error blocked(const SshSession& session, const std::string& from, const std::string& address, int port,
              const std::string& cause) {
    return environmentError(from + " cannot reach port " + std::to_string(port) + " at " + address + ": " + cause,
                            session.host().label(),
                            "allow TCP connections between the hosts in the firewall of " + session.host().alias +
                                ", or choose another interface in the host's address field");
}

constexpr const char* kNotChecked = "not checked: the host has neither Perl nor Python to open a port with";

} // namespace

Result<std::string> probePort(SshSession& session, const std::string& address) {
    TY_ASSIGN(const Listener listener, listenOn(session, address));
    if (listener.port == 0) return std::string(kNotChecked);
    HostEntry entry;
    entry.alias = address;
    entry.port = listener.port;
    SshFacts facts;
    const auto socket = connectTcp(entry, 4, facts);
    if (!socket) return blocked(session, "this computer", address, listener.port, socket.error().message);
    pollfd ready{socket->get(), POLLIN, 0};
    char greeting[2] = {0, 0};
    if (::poll(&ready, 1, 4000) != 1 || ::recv(socket->get(), greeting, 2, 0) != 2 || greeting[0] != 'o')
        return blocked(session, "this computer", address, listener.port, "something else answers");
    return "this computer reaches " + address + " port " + std::to_string(listener.port);
}

Result<std::string> probePortFrom(SshSession& session, const std::string& address, const HostEntry& peer,
                                  const ConnectOptions& options) {
    TY_ASSIGN(const auto other, connectToHost(peer, options));
    TY_ASSIGN(const Listener listener, listenOn(session, address));
    if (listener.port == 0) return std::string(kNotChecked);
    TY_ASSIGN(const ExecResult visit, other->script(kVisitScript, {address, std::to_string(listener.port)}));
    if (!visit.out.starts_with("ok")) return blocked(session, peer.alias, address, listener.port, visit.complaint());
    return peer.alias + " reaches " + address + " port " + std::to_string(listener.port);
}

} // namespace trainyard::remote
