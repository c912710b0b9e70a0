// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/host_mirror.h"

#include "engine/base/clock.h"
#include "engine/base/error_json.h"
#include "engine/base/machine/mutex.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

namespace trainyard::ctl {
namespace {

constexpr int kRunsMs = 1000; // between looks for runs that are new here

void sleepSeconds(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

} // namespace

LinkBook::LinkBook(store::Workspace workspace)
    : m_workspace(std::move(workspace)), m_links(run::readHomeLinks(m_workspace)) {}

void LinkBook::set(const std::string& host, run::HomeLink link) {
    const MutexLock lock(m_mutex);
    if (m_links[host] == link) return;
    m_links[host] = std::move(link);
    (void)run::writeHomeLinks(m_workspace, m_links); // a full disk: the next change tells
}

run::HomeLink LinkBook::of(const std::string& host) {
    const MutexLock lock(m_mutex);
    const auto at = m_links.find(host);
    return at == m_links.end() ? run::HomeLink{} : at->second;
}

void LinkBook::lose(const std::string& host, const Error& error) {
    const auto before = of(host);
    const bool wasLost = before.state == run::HomeLink::State::Lost;
    set(host, {run::HomeLink::State::Lost, wasLost ? before.sinceMs : wallClockMs(), error.text(), error.code});
}

std::vector<run::HomeNote> HostMirror::noted() const {
    auto runs = run::homeNotes(m_workspace);
    std::erase_if(runs, [this](const auto& each) { return each.host != m_host; });
    return runs;
}

void HostMirror::follow() {
    while (!noted().empty()) {
        if (m_links.of(m_host).state != run::HomeLink::State::Lost)
            m_links.set(m_host, {run::HomeLink::State::Connecting, wallClockMs()});
        const auto ended = followOnce();
        if (ended) continue;
        ++m_failures;
        m_links.lose(m_host, ended.error());
        sleepSeconds(backoffSeconds(m_failures));
    }
}

// Until the link is lost, or no run is noted any more.
Result<void> HostMirror::followOnce() {
    TY_ASSIGN(auto copy, run::MirrorCopy::open(m_workspace));
    TY_ASSIGN(auto head, openHead(m_host, remote::ConnectOptions{}));
    TY_ASSIGN(const auto channel, head.start({"feed"}, {}));
    m_links.set(m_host, {run::HomeLink::State::Up, wallClockMs()});
    m_asked.clear();
    m_news.clear();
    for (double nextLook = 0; !channel->exitStatus();) {
        if (monotonicSeconds() >= nextLook) {
            nextLook = monotonicSeconds() + kRunsMs / 1000.0;
            if (noted().empty()) return {};
            TY_TRY(askForNew(copy, channel->dataFd()));
        }
        pollfd input{channel->dataFd(), POLLIN, 0};
        if (::poll(&input, 1, kRunsMs) > 0) TY_TRY(take(copy, channel->dataFd()));
    }
    std::array<char, 4096> said{};
    const auto count = ::recv(channel->logFd(), said.data(), said.size() - 1, MSG_DONTWAIT);
    if (!channel->lossReason().empty()) return remote::connectionLost(channel->lossReason(), m_host);
    return programError("trainyardctl", channel->exitStatus()->code, {},
                        {said.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
}

Result<void> HostMirror::askForNew(run::MirrorCopy& copy, int to) {
    std::string lines;
    for (const auto& each : noted()) {
        if (!m_asked.insert(each.id).second) continue;
        std::vector<run::MirrorRequest> requests;
        if (each.isSweep) {
            TY_ASSIGN(requests, copy.requestsForSweep(each.id));
        } else {
            TY_ASSIGN(requests.emplace_back(), copy.requestFor(each.id));
        }
        for (const auto& request : requests) lines += run::toLine(request) + "\n";
    }
    return lines.empty() ? Result<void>() : askFeed(to, lines);
}

Result<void> HostMirror::take(run::MirrorCopy& copy, int from) {
    TY_ASSIGN(const auto heard, m_news.read(from, copy, m_host));
    if (heard == NewsReader::Heard::Something) m_failures = 0;
    else if (heard == NewsReader::Heard::End) sleepSeconds(0.05); // its exit status comes a moment later
    return {};
}

} // namespace trainyard::ctl
