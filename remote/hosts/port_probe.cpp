// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/port_probe.h"

#include "engine/base/clock.h"
#include "remote/hosts/connect.h"
#include "remote/ssh/tcp_connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace trainyard::remote {
namespace {

// $1 address, $2 bytes: listens at a free port, tells it, greets one visitor and sends it so many bytes, for at most
// 0.7 s; gives up after 10 s.
constexpr const char* kListenScript = R"sh(
if command -v perl > /dev/null; then
exec perl -e '
use Socket; alarm 10; $| = 1; $SIG{PIPE} = "IGNORE";
my $clock = eval { require Time::HiRes; \&Time::HiRes::time } || sub { time };
my $six = $ARGV[0] =~ /:/;
my $where = $six ? sockaddr_in6(0, Socket::inet_pton(AF_INET6, $ARGV[0])) : sockaddr_in(0, inet_aton($ARGV[0]));
socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die "socket: $!";
bind($s, $where) or die "bind: $!"; listen($s, 1) or die "listen: $!";
my @n = $six ? unpack_sockaddr_in6(getsockname($s)) : sockaddr_in(getsockname($s));
print "$n[0]\n"; accept(my $c, $s) or die "accept: $!"; syswrite($c, "ok\n");
my ($left, $block, $until) = ($ARGV[1], "x" x 65536, $clock->() + 0.7);
while ($left > 0 && $clock->() < $until) { my $n = syswrite($c, $block) or last; $left -= $n }
shutdown($c, 1); sysread($c, my $x, 1);
' "$1" "$2"
elif command -v python3 > /dev/null; then
exec python3 -c '
import socket, sys, time
s = socket.create_server((sys.argv[1], 0), family=socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
s.settimeout(10); print(s.getsockname()[1], flush=True)
c, _ = s.accept(); c.sendall(b"ok\n")
left, until = int(sys.argv[2]), time.time() + 0.7
while left > 0 and time.time() < until: left -= c.send(b"x" * 65536)
c.close()
' "$1" "$2"
else echo none; fi
)sh";

// $1 address, $2 port: says "ok" when it was greeted, and how many bytes a second came then, as far as that is known.
constexpr const char* kVisitScript = R"sh(
if command -v perl > /dev/null; then
exec perl -e '
use Socket; alarm 5;
my $clock = eval { require Time::HiRes; \&Time::HiRes::time };
my $six = $ARGV[0] =~ /:/;
socket(my $s, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die "$!";
connect($s, $six ? sockaddr_in6($ARGV[1], Socket::inet_pton(AF_INET6, $ARGV[0]))
                 : sockaddr_in($ARGV[1], inet_aton($ARGV[0]))) or die "$!\n";
sysread($s, my $x, 2); print $x; exit if $x ne "ok" || !$clock;
my ($begun, $from, $bytes, $before, $now) = ($clock->(), 0, 0, 0, 0);
while (my $n = sysread($s, $x, 65536)) {
  $bytes += $n; $now = $clock->();
  ($from, $before) = ($now, $bytes) if !$from && $bytes >= 65536;
  last if $now - $begun > 2.5;
}
print " ", ($bytes - $before) / ($now - $from) if $from && $now > $from;
' "$1" "$2"
else exec timeout 5 bash -c 'exec 3<> "/dev/tcp/$0/$1" && head -c 2 <&3' "$1" "$2"; fi
)sh";

constexpr std::int64_t kFewBytes = 256 << 10;   // shows a slow link, and is gone at once on a fast one
constexpr std::int64_t kManyBytes = 1024 << 20; // more than goes in the time that is sent for
constexpr std::int64_t kWarmUpBytes = 64 << 10; // before a rate is measured
constexpr double kReadSeconds = 2.5;

struct Listener {
    std::unique_ptr<SshChannel> channel;
    int port = 0; // 0: the host has nothing to listen with
};

Result<Listener> listenOn(SshSession& session, const std::string& address, std::int64_t bytes) {
    Listener listener;
    TY_ASSIGN(listener.channel,
              session.start({"/bin/sh", "-c", kListenScript, "trainyard", address, std::to_string(bytes)}));
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

struct BlockedWay {
    std::string from, to, address; // names of hosts
    int port = 0;
};

Error blocked(const BlockedWay& way, const std::string& where, const std::string& cause) {
    return environmentError(way.from + " cannot reach " + way.to + " at " + way.address + " port " +
                                std::to_string(way.port) + ": " + cause,
                            where,
                            "allow TCP connections between the hosts in the firewall of " + way.to +
                                ", or choose another interface in the host's address field")
        .withCode(ErrorCode::HostUnsuitable);
}

// A port of this computer; nothing when it cannot be opened.
struct OwnPort {
    UniqueFd socket;
    int port = 0;
};

std::optional<OwnPort> listenHere(const std::string& address) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;
    if (::getaddrinfo(address.c_str(), "0", &hints, &found) != 0) return std::nullopt;
    OwnPort own{UniqueFd(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0))};
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    const bool listens = own.socket && ::bind(own.socket.get(), found->ai_addr, found->ai_addrlen) == 0 &&
                         ::listen(own.socket.get(), 1) == 0 &&
                         ::getsockname(own.socket.get(), reinterpret_cast<sockaddr*>(&name), &size) == 0;
    ::freeaddrinfo(found);
    if (!listens) return std::nullopt;
    own.port = ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&name)->sin6_port
                                                : reinterpret_cast<sockaddr_in*>(&name)->sin_port);
    return own;
}

constexpr const char* kThisComputer = "this computer";
constexpr int kVisitMs = 5000;
constexpr const char* kNotChecked = "not checked: the host has neither Perl nor Python to open a port with";

// What comes after the greeting, in bytes a second.
std::optional<double> rateOf(int socket) {
    std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const double begun = monotonicSeconds();
    std::int64_t bytes = 0, before = 0;
    double from = 0, now = begun;
    for (pollfd ready{socket, POLLIN, 0}; now - begun < kReadSeconds && ::poll(&ready, 1, 1000) == 1;) {
        const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (got <= 0) break;
        bytes += got;
        now = monotonicSeconds();
        if (from == 0 && bytes >= kWarmUpBytes) {
            from = now;
            before = bytes;
        }
    }
    return from > 0 && now > from ? std::optional(static_cast<double>(bytes - before) / (now - from)) : std::nullopt;
}

ReachedPort reached(const BlockedWay& way, std::optional<double> rate) {
    return {way.from + " reaches " + way.address + " port " + std::to_string(way.port), rate};
}

Result<ReachedPort> visitFrom(SshSession& peer, SshSession& session, const std::string& address, std::int64_t bytes) {
    TY_ASSIGN(const Listener listener, listenOn(session, address, bytes));
    if (listener.port == 0) return ReachedPort{kNotChecked, {}};
    TY_ASSIGN(const ExecResult visit, peer.script(kVisitScript, {address, std::to_string(listener.port)}));
    const BlockedWay way{peer.host().alias, session.host().alias, address, listener.port};
    if (!visit.out.starts_with("ok"))
        return blocked(way, session.host().label(), visit.err.empty() ? "nothing answers" : visit.complaint());
    const double rate = std::atof(visit.out.c_str() + 2);
    return reached(way, rate > 0 ? std::optional(rate) : std::nullopt);
}

} // namespace

Result<ReachedPort> probePort(SshSession& session, const std::string& address) {
    TY_ASSIGN(const Listener listener, listenOn(session, address, kFewBytes));
    if (listener.port == 0) return ReachedPort{kNotChecked, {}};
    const BlockedWay way{kThisComputer, session.host().alias, address, listener.port};
    HostEntry entry;
    entry.alias = address;
    entry.port = listener.port;
    const auto made = connectTcp(entry, 4);
    if (!made) return blocked(way, session.host().label(), made.error().message);
    const int socket = made->socket.get();
    pollfd ready{socket, POLLIN, 0};
    char greeting[2] = {0, 0};
    if (::poll(&ready, 1, 4000) != 1 || ::recv(socket, greeting, 2, 0) != 2 || greeting[0] != 'o')
        return blocked(way, session.host().label(), "something else answers");
    return reached(way, rateOf(socket));
}

Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, SshSession& peer) {
    return visitFrom(peer, session, address, kFewBytes);
}

Result<ReachedPort> probePortFrom(SshSession& session, const std::string& address, const HostEntry& peer,
                                  const ConnectOptions& options) {
    TY_ASSIGN(const auto other, connectToHost(peer, options));
    return probePortFrom(session, address, *other);
}

Result<ReachedPort> probePortHere(const std::string& address, SshSession& peer) {
    const auto own = listenHere(address);
    if (!own)
        return environmentError("this computer cannot listen at its own address " + address, "hosts",
                                "list its addresses with: ip -o addr");
    TY_ASSIGN(const auto visit,
              peer.start({"/bin/sh", "-c", kVisitScript, "trainyard", address, std::to_string(own->port)}));
    pollfd coming{own->socket.get(), POLLIN, 0};
    const UniqueFd visitor(::poll(&coming, 1, kVisitMs) == 1 ? ::accept(own->socket.get(), nullptr, nullptr) : -1);
    const BlockedWay way{peer.host().alias, kThisComputer, address, own->port};
    if (!visitor || ::send(visitor.get(), "ok\n", 3, MSG_NOSIGNAL) != 3) return blocked(way, "hosts", "nobody came");
    return reached(way, std::nullopt);
}

Result<std::optional<double>> probeSpeed(SshSession& session, const std::string& address, SshSession& peer) {
    TY_ASSIGN(const auto way, visitFrom(peer, session, address, kManyBytes));
    return way.bytesPerSecond;
}

std::string speedText(double bytesPerSecond) {
    std::array<char, 32> text{};
    const double mbit = bytesPerSecond * 8 / 1e6;
    std::snprintf(text.data(), text.size(), mbit < 1000 ? "%.3g Mbit/s" : "%.1f Gbit/s",
                  mbit < 1000 ? mbit : mbit / 1000);
    return text.data();
}

} // namespace trainyard::remote
