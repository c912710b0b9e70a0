// SPDX-License-Identifier: GPL-3.0-or-later
// What launchers do for a run on its hosts: prepare them, copy to and from them, count what is left there. Hosts work
// side by side, and the supervisor's loop goes on meanwhile.
#include "engine/base/amounts.h"
#include "engine/run/launch/run_files.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/paths.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kCountSeconds = 5; // for all hosts to say what is left there
constexpr double kLeftSeconds = 2;  // for what is ended there to be gone

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

struct Prepared {
    Launcher::HostInfo info;
    RunFiles paths;
};

Result<Prepared> prepare(Launcher& launcher, const std::string& host, const std::string& run, const RunFiles& files) {
    Prepared prepared;
    TY_ASSIGN(prepared.info, launcher.prepare(host, run));
    if (host.empty()) return prepared;
    for (const auto& [field, path] : files) { TY_ASSIGN(prepared.paths[field], launcher.stage(host, path)); }
    return prepared;
}

} // namespace

Result<void> Supervisor::prepareHosts() {
    m_hosts.clear();
    const int most = std::max(m_size.wanted(), m_setup.spec.scaling.elastic.max); // it may grow to this
    for (int rank = 0; rank < most; ++rank) m_hosts[hostOf(rank, most)];
    const bool hasRemote = m_hosts.size() > 1 || !m_hosts.contains("");
    // Where this computer is the home of a run of another one, the files are not where the run file says.
    auto here = m_setup.spec;
    spec::relocate(here, m_setup.launch.files);
    const RunFiles files = hasRemote ? filesOf(here) : RunFiles{};
    std::map<std::string, HostCalls::Answer<Prepared>> answers;
    std::string names;
    for (const auto& [host, entry] : m_hosts) {
        answers[host] = m_calls.ask<Prepared>(host, [host = host, run = m_setup.row.id, files](Launcher& launcher) {
            return prepare(launcher, host, run, files);
        });
        if (!host.empty()) names += (names.empty() ? "" : ", ") + host;
    }
    if (!names.empty()) {
        m_state.notice = "connecting to " + names;
        publish();
    }
    for (auto& [host, entry] : m_hosts) {
        TY_ASSIGN(auto prepared, m_calls.answerOf(host, answers[host]));
        entry.info = std::move(prepared.info);
        entry.paths = std::move(prepared.paths);
        if (host.empty()) entry.paths = m_setup.launch.files;
        if (entry.info.folder.empty()) entry.info.folder = m_setup.folder.root.string();
    }
    m_state.notice.clear();
    const auto local = m_hosts.find("");
    if (local != m_hosts.end() && m_hosts.size() > 1) {
        const auto& peer = m_hosts.rbegin()->second.info.address;
        local->second.info.address = addressTowards(peer);
        if (local->second.info.address.empty())
            return environmentError("this computer has no network route to " + peer, "hosts");
    }
    return {};
}

Result<void> Supervisor::stageCheckpoint(const std::string& path) {
    std::map<std::string, HostCalls::Answer<std::string>> answers;
    for (const auto& [host, entry] : m_hosts)
        answers[host] = m_calls.ask<std::string>(
            host, [host = host, path](Launcher& launcher) { return launcher.stage(host, path); });
    for (const auto& [host, answer] : answers) { TY_ASSIGN(m_staged[host], m_calls.answerOf(host, answer)); }
    return {};
}

void Supervisor::fetchCheckpoint(const std::string& host, const wire::CheckpointSaved& saved) {
    const auto dropped =
        m_copies.add({host, saved}, m_checkpoints, [this](std::int64_t step) { return m_commands.isSaving(step); });
    for (const auto& each : dropped) {
        logLine(0, "info",
                "the checkpoint of step " + grouped(each.saved.step) + " on " + each.host +
                    " is given up: newer ones were saved before it could be copied here");
        m_calls.remove(each.host, each.saved.path);
    }
    copyNext();
}

void Supervisor::copyNext() {
    const auto copy = m_copies.begin();
    if (!copy) return;
    const auto path = m_setup.folder.checkpoints() / std::filesystem::path(copy->saved.path).filename();
    m_calls.fetch(copy->host, copy->saved.path, path, [this, copy = *copy, path](const Result<void>& fetched) {
        m_copies.end();
        if (fetched) {
            recordCheckpoint(copy.saved, path);
        } else {
            Error cause = fetched.error();
            cause.message = "it could not be copied from " + copy.host + ": " + cause.message;
            saveFailed(copy.saved.step, std::move(cause));
        }
        copyNext();
    });
}

void Supervisor::recordCheckpoint(const wire::CheckpointSaved& saved, const std::filesystem::path& path) {
    m_unsaved.saved();
    logLine(0, "info", "checkpoint of step " + grouped(saved.step) + " saved, " + bytesText(saved.bytes));
    m_checkpoints.notePins(m_recorder.storedCheckpoints());
    m_checkpoints.add(saved, path, wallClockMs());
    auto voidFiles = m_checkpoints.prune();
    m_recorder.checkpoints(m_checkpoints.rows(), std::move(voidFiles), filesOutlive());
    m_recorder.soon();
    settleSaves(saved.step, {});
}

// What was saved is where the run goes on, or its result. Those who cannot wait stop once more.
void Supervisor::waitForCopies() {
    const auto wanted = [this] { return !m_stop || m_stop.mode() == wire::StopMode::SaveAndStop; };
    if (m_copies.count() == 0 || !wanted()) return;
    m_state.notice = "waiting until the newest checkpoint is copied here";
    publish();
    while (m_copies.count() > 0 && wanted()) pump(monotonicSeconds() + 0.5);
    m_state.notice.clear();
}

// Looks on the hosts themselves which processes of the run live there; says so and ends them. Returns how many are
// left all the same. Of a host that does not answer, those count that are not known to have ended.
int Supervisor::endLeftOnHosts() {
    const auto& run = m_setup.row.id;
    std::vector<std::string> hosts, leftOn;
    for (const auto& [host, entry] : m_hosts)
        if (!host.empty() && entry.ranks > 0) hosts.push_back(host);
    int left = 0, unknown = 0;
    std::string unheard;
    const bool hurried = m_stop && m_stop.mode() == wire::StopMode::Kill;
    for (const auto& [host, count] : m_calls.signalAll(hosts, run, 0, hurried ? kLeftSeconds : kCountSeconds)) {
        if (!count) {
            unheard += (unheard.empty() ? "" : ", ") + host;
            for (const auto& link : m_links)
                if (link->placement.host == host && !link->exit) ++unknown;
        } else if (*count > 0) {
            left += *count;
            leftOn.push_back(host);
            logLine(-1, "warning",
                    std::to_string(*count) + " processes of the run were left on " + host + ", and are ended");
        }
    }
    if (!unheard.empty())
        logLine(-1, "warning",
                "what is left on " + unheard + " cannot be seen; workers there save and end after failure.linkSeconds");
    for (const double until = monotonicSeconds() + kLeftSeconds; left > 0 && monotonicSeconds() < until;) {
        left = 0;
        for (const auto& [host, count] : m_calls.signalAll(leftOn, run, SIGKILL, kLeftSeconds))
            left += count.value_or(0);
    }
    return left + unknown;
}

} // namespace trainyard::run
