// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/remote_host.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/relay/relay.h"
#include "remote/hosts/connect.h"
#include "remote/ssh/ssh_limits.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace trainyard::remote {
namespace {

// sshd allows 10 channels on one connection by default; two are kept for control.
constexpr int kChannelsPerSession = 8;

// $1 a process id, $2 its mark, and so on: asks each process group that is still the one that was started here to save
// and end, and ends it when that takes longer than 5 s.
constexpr const char* kEndScript = R"sh(
is_left() { tr '\0' '\n' < "/proc/$1/environ" 2>/dev/null | grep -qx "TRAINYARD_LAUNCH=$2"; }
ask() {
  while [ $# -ge 2 ]; do
    if is_left "$1" "$2"; then kill -s TERM "$1"; kill -s CONT -- "-$1"; fi
    shift 2
  done
}
any_left() {
  while [ $# -ge 2 ]; do
    is_left "$1" "$2" && return 0
    shift 2
  done
  return 1
}
ask "$@"
tries=50
while [ $tries -gt 0 ] && any_left "$@"; do sleep 0.1; tries=$((tries - 1)); done
while [ $# -ge 2 ]; do
  if is_left "$1" "$2"; then kill -s KILL -- "-$1"; fi
  shift 2
done
)sh";

// $1 the folder of a run, $2 the cache: makes the folder, and removes behind its back what killed ranks and earlier
// runs have left while none trains here: sockets, and checkpoints that runs have begun from.
constexpr const char* kPrepareScript = R"sh(
umask 077; mkdir -p -- "$1" || exit
home=${TRAINYARD_WORKSPACE:-${XDG_DATA_HOME:-$HOME/.local/share}/trainyard}
(
  cd -- "$2" || exit
  ! grep -lqz '^TRAINYARD_WORKER_OF=' /proc/[0-9]*/environ || exit
  find . -mindepth 2 -maxdepth 2 -name 'held-*.sock' -type s -mmin +1 -delete
  find . -mindepth 2 -maxdepth 2 -path './[0-9a-f]*' -name 'step-*.safetensors' -type f -cmin +1440 |
  while read -r file; do
    grep -qsF "${file#./}" "$home"/runs/*/launch.json || { rm -f -- "$file"; rmdir -- "${file%/*}"; }
  done
) > /dev/null 2>&1 < /dev/null &
)sh";

bool isAddress(const std::string& text) {
    in6_addr ignored{};
    return ::inet_pton(AF_INET, text.c_str(), &ignored) == 1 || ::inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

// Somebody may have tidied up. What cannot be asked is found out by whoever starts it.
bool isThere(SshSession& session, const Deployed& deployed) {
    const std::string relay = deployed.relay.empty() ? deployed.program : deployed.relay;
    const auto found = session.script("[ -x \"$1\" ] && [ -x \"$2\" ]", {deployed.program, relay});
    return !found || found->ok();
}

} // namespace

Result<std::shared_ptr<SshSession>> RemoteHost::session() {
    const auto isLost = [](const auto& each) { return !each->alive(); };
    std::erase_if(m_sessions, isLost);
    for (const auto& each : m_sessions) {
        if (each->openChannels() >= kChannelsPerSession) continue;
        endLeftovers(*each, false);
        if (each->alive()) return each;
    }
    std::erase_if(m_sessions, isLost); // what has been found out just now
    TY_ASSIGN(auto session, connectToHost(m_entry, m_options));
    if (!m_known) {
        TY_ASSIGN(m_basics, askBasics(*session));
        m_known = true;
    }
    if (m_sessions.empty()) {
        endLeftovers(*session, true);
        m_deployedFrom.clear(); // the host may have been installed anew
    }
    m_sessions.push_back(session);
    return session;
}

Result<std::shared_ptr<SshSession>> RemoteHost::sessionForCopies() {
    if (m_copySession && m_copySession->alive()) return m_copySession;
    m_copySession.reset();
    TY_ASSIGN(auto session, this->session()); // what it finds out on the way is needed, too
    if (auto made = connectToHost(m_entry, m_options)) m_copySession = session = std::move(*made);
    return session;
}

Result<std::shared_ptr<SshSession>> RemoteHost::sessionAgain() {
    const MutexLock lock(mutex);
    const bool lives = std::ranges::any_of(m_sessions, [](const auto& each) { return each->alive(); });
    if (!lives && m_lastFailure && monotonicSeconds() < m_nextTry) return *m_lastFailure;
    auto session = this->session();
    m_failures = session ? 0 : m_failures + 1;
    m_lastFailure = session ? std::nullopt : std::optional(session.error());
    m_nextTry = monotonicSeconds() + backoffSeconds(m_failures, kMostBackoff);
    return session;
}

// Best effort: on a host that was restarted there is nothing to end.
void RemoteHost::endLeftovers(SshSession& session, bool reconnected) {
    const auto hasEnded = [](const Launched& each) { return each.held && each.held->state == HeldMark::State::Ended; };
    if (std::erase_if(m_launched, hasEnded) > 0) m_anyEnded = true;
    const auto isLeft = [reconnected](const Launched& each) {
        return each.held ? each.held->state == HeldMark::State::Left : reconnected;
    };
    std::vector<std::string> parameters, ended;
    for (const auto& each : m_launched) {
        if (!isLeft(each)) continue;
        parameters.insert(parameters.end(), {std::to_string(each.pid), each.mark});
        ended.push_back(each.mark);
    }
    if (parameters.empty() || !session.script(kEndScript, parameters)) return;
    std::erase_if(m_launched, [&](const Launched& each) { return std::ranges::find(ended, each.mark) != ended.end(); });
}

void RemoteHost::lookForProgram(SshSession& session) {
    const bool mayBeGone = std::exchange(m_anyEnded, false) && !m_deployedFrom.empty();
    if (!mayBeGone || isThere(session, m_deployed)) return;
    m_deployedFrom.clear();
    for (auto& [run, there] : m_prepared) there = false;
}

bool RemoteHost::hasLostFilesOf(SshSession& session, const RunId& run) {
    lookForProgram(session);
    const auto found = m_prepared.find(run);
    return found != m_prepared.end() && !found->second;
}

Result<Deployed> RemoteHost::deploy(SshSession& session, const run::ProgramFile& worker, const run::ProgramFile& relay,
                                    DigestCache& digests, const std::function<void(const std::string&)>& say) {
    lookForProgram(session);
    if (m_deployedFrom == worker.path()) {
        m_deployed.bytesSent = 0;
        return m_deployed;
    }
    std::error_code ignored;
    const bool relays = std::filesystem::is_regular_file(relay.source(), ignored);
    ToDeploy files{.worker = worker.source(), .workerName = worker.path().filename().string()};
    if (relays) files.relay = relay.source();
    if (run::isKeeper(worker.path())) files.modules = run::pythonModuleFolder();
    if (say) files.onLibraries = [&](std::int64_t bytes) { say(librariesNotice(alias(), bytes)); };
    TY_ASSIGN(m_deployed, deployWorker(session, m_basics, files, digests));
    m_deployedFrom = worker.path();
    return m_deployed;
}

std::map<std::string, std::string> RemoteHost::madeHere() const {
    std::map<std::string, std::string> made;
    for (const auto& [folder, file] : m_fetched) made[file.digest] = file.path;
    return made;
}

void RemoteHost::fetched(SshSession& session, const std::string& remote, const std::string& digest) {
    Fetched& last = m_fetched[std::filesystem::path(remote).parent_path().string()];
    if (!last.path.empty() && last.path != remote && last.path.starts_with(m_basics.cache + "/runs/"))
        (void)session.exec({"rm", "-f", "--", last.path});
    last = {remote, digest};
}

Result<std::string> clusterAddress(SshSession& session, const HostBasics& basics) {
    const std::string label = session.host().label(), wanted = session.host().address;
    if (isAddress(wanted)) return wanted;
    if (!wanted.empty()) {
        TY_ASSIGN(const ExecResult result,
                  session.script("PATH=$PATH:/usr/sbin:/sbin; ip -o addr show dev \"$1\" scope global | "
                                 "awk '{ split($4, a, \"/\"); print a[1]; exit }'",
                                 {wanted}));
        std::string found = result.out.substr(0, result.out.find('\n'));
        if (isAddress(found)) return found;
        return environmentError("the host has no network interface \"" + wanted + "\" with an address", label,
                                "list them on the host with: ip -o addr; then correct the host's address field");
    }
    if (basics.address != "::1" && !basics.address.starts_with("127.")) return basics.address;
    // Reached through a tunnel: loopback means nothing to the other hosts.
    TY_ASSIGN(const ExecResult result, session.script("hostname -I"));
    std::string found = result.out.substr(0, result.out.find_first_of(" \n"));
    return isAddress(found) ? found : basics.address;
}

Result<std::vector<std::string>> namesIn(SshSession& session, const std::string& folder) {
    TY_ASSIGN(const ExecResult result, session.script("[ ! -d \"$1\" ] || ls -1A -- \"$1\"", {folder}));
    if (!result.ok())
        return environmentError("the folder cannot be read: " + result.complaint(),
                                session.host().label() + ":" + folder, "correct its permissions");
    std::vector<std::string> names;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) names.push_back(line);
    return names;
}

Result<int> signalWorkersOf(SshSession& session, const RunId& run, int signalNumber) {
    const std::string signal = signalNumber == 0 ? "0" : signalName(signalNumber);
    TY_ASSIGN(const ExecResult result, session.script(run::kSignalWorkersScript, {run, signal}));
    char* end = nullptr;
    const long count = std::strtol(result.out.c_str(), &end, 10);
    if (!result.ok() || end == result.out.c_str())
        return environmentError("the processes of the run cannot be counted: " + result.complaint(),
                                session.host().label());
    return static_cast<int>(count);
}

Result<run::Launcher::HostInfo> RemoteHost::prepare(SshSession& session, const RunId& run) {
    if (const std::string& name = run; name.empty() || name[0] == '.' || name.find_first_of("/\n") != name.npos)
        return inputError("\"" + printable(name) + "\" cannot be the name of a run's folder", "run");
    run::Launcher::HostInfo info;
    info.folder = m_basics.cache + "/runs/" + run.text();
    info.cores = m_basics.cores;
    info.devices = m_basics.devices;
    TY_ASSIGN(const ExecResult made, session.script(kPrepareScript, {info.folder, m_basics.cache}));
    if (!made.ok())
        return environmentError("the run's folder cannot be made on the host: " + made.complaint(),
                                m_entry.label() + ":" + info.folder, "free space, or correct its permissions");
    TY_ASSIGN(info.address, clusterAddress(session, m_basics));
    m_prepared[run] = true;
    return info;
}

} // namespace trainyard::remote
