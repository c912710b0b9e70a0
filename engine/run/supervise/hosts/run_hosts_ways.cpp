// SPDX-License-Identifier: GPL-3.0-or-later
// The ways between the hosts of a run: whether each reaches the others, and where this computer is for them.
#include "engine/base/unique_fd.h"
#include "engine/run/supervise/hosts/run_hosts.h"
#include "engine/spec/run/host_ranks.h"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kSlowLink = 12.5e6; // bytes a second: a model of some megabytes takes a good part of a second

// The address of this computer's interface on the way to `peer`; empty when there is no way.
std::string addressTowards(const std::string& peer) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(peer.c_str(), "9", &hints, &found) != 0 || !found) return {};
    std::string address;
    const UniqueFd fd(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    std::array<char, NI_MAXHOST> text{};
    if (fd && ::connect(fd.get(), found->ai_addr, found->ai_addrlen) == 0 && // sends nothing for datagrams
        ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
        ::getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text.data(), static_cast<socklen_t>(text.size()),
                      nullptr, 0, NI_NUMERICHOST) == 0)
        address = text.data();
    ::freeaddrinfo(found);
    return address;
}

} // namespace

// While the ranks are launched: most hosts can meet, and their first step does not wait for that to be known.
void RunHosts::tryWays() {
    m_ways.clear();
    std::vector<std::string> names;
    for (const auto& [host, entry] : m_hosts) names.push_back(host);
    const auto tryWay = [this](const HostName& from, const HostName& to) {
        auto call = [from, to, address = m_hosts.at(to).info.address](Launcher& launcher) {
            return launcher.checkWay(from, to, address);
        };
        m_ways.push_back({from, to, m_calls.askSpare<std::optional<double>>(to.empty() ? from : to, std::move(call))});
    };
    for (const auto& way : spec::waysToTry(names)) {
        const HostName from(way.first), to(way.second);
        if (from == to) continue;
        tryWay(from, to);
        if (from.empty()) tryWay(to, from);
    }
}

std::optional<Error> RunHosts::judgeWays() {
    std::optional<Error> blocked;
    for (auto& way : std::exchange(m_ways, {})) {
        const auto& answer = *way.answer;
        if (!answer) m_ways.push_back(std::move(way));
        else if (!*answer) blocked = answer->error();
        else if (**answer && ***answer < kSlowLink) tellSlow(way, ***answer);
    }
    return blocked;
}

void RunHosts::tellSlow(const Way& way, double bytesPerSecond) {
    char speed[32];
    std::snprintf(speed, sizeof speed, "%.2g Mbit/s", bytesPerSecond * 8 / 1e6);
    const std::string text = "the link between " + nameOf(way.from) + " and " + nameOf(way.to) + " carries about " +
                             speed + ", and each step may wait for it: scaling.compression sends less";
    m_journal.log(-1, "warning", text);
    m_journal.hostNotice(text);
}

// For ranks here, of which those on other hosts must know where they are.
Result<void> RunHosts::addressThisComputer() {
    const auto local = m_hosts.find(HostName());
    if (local == m_hosts.end() || isOne()) return {};
    const auto& peer = m_hosts.rbegin()->second.info.address;
    local->second.info.address = addressTowards(peer);
    if (local->second.info.address.empty())
        return environmentError("this computer has no network route to " + peer, "hosts");
    return {};
}

} // namespace trainyard::run
