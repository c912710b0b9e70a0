// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/run_hosts.h"

#include "engine/base/error_code.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/machine/mutex.h"
#include "engine/run/launch/host_rooms.h"
#include "engine/run/record/place/saved_place.h"
#include "engine/run/supervise/failures/recovery_policy.h"
#include "engine/run/supervise/failures/stop_sequence.h"
#include "engine/spec/sweep/paths.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kCountSeconds = 5;    // for all hosts to say what is left there
constexpr double kLostSeconds = 0.5;   // the same for those that were lost: they may be back by now
constexpr double kLeftSeconds = 2;     // for what is ended there to be gone
constexpr double kHostLookSeconds = 1; // between two looks at a host
constexpr double kAskedSeconds = 25;   // for a rank that was asked to leave its group and save (LinkWatch)

// The newest checkpoint on a host; without one its step is -1.
struct SavedThere {
    HostName host;
    std::string path{};
    std::int64_t step = -1;
};

// Paths on the host, of what is being written as well.
Result<std::vector<std::string>> checkpointsOn(Launcher& launcher, const HostName& host, const RunId& run) {
    TY_ASSIGN(const auto prepared, launcher.prepare(host, run));
    const std::string folder = prepared.folder + "/checkpoints";
    TY_ASSIGN(auto names, launcher.list(host, folder));
    for (auto& name : names) name.insert(0, folder + "/");
    return names;
}

Result<SavedThere> newestOn(Launcher& launcher, const HostName& host, const RunId& run) {
    TY_ASSIGN(const auto files, checkpointsOn(launcher, host, run));
    SavedThere newest{host};
    for (const auto& file : files) {
        const auto step = checkpointStep(std::filesystem::path(file).filename().string());
        if (step > newest.step) newest = {host, file, step};
    }
    return newest;
}

} // namespace

RunHosts::RunHosts(const RunTask& task, HostCalls& calls, RunJournal& journal)
    : m_task(task), m_calls(calls), m_journal(journal), m_pool(task.spec) {}

HostName RunHosts::hostOf(RankOf rank) const { return m_pool.hostOf(rank); }

void RunHosts::deal(int ranks) {
    for (auto& [host, entry] : m_hosts) entry.ranks = 0;
    for (int rank = 0; rank < ranks; ++rank) ++m_hosts[hostOf({rank, ranks})].ranks;
}

HostCalls::Call<RunHosts::Host> RunHosts::preparing(const HostName& host) const {
    const DataPlacement placement = placementOf(m_task.spec.dataset.text("placement", "auto"));
    return [host, run = m_task.launch.run, files = m_files, said = m_said, program = m_program,
            placement](Launcher& launcher) -> Result<Host> {
        launcher.listen([said](const std::string& text) {
            const MutexLock lock(said->mutex);
            said->lines.push_back(text);
        });
        Host prepared;
        TY_ASSIGN(prepared.info, launcher.prepare(host, run));
        if (program) { TY_ASSIGN(prepared.program, prepareProgram(launcher, host, *program)); }
        if (host.empty()) return prepared;
        for (const auto& [field, path] : files) {
            const bool isData = field.starts_with("dataset.");
            TY_ASSIGN(prepared.paths[field],
                      isData ? launcher.place(host, path, placement) : launcher.stage(host, path));
        }
        return prepared;
    };
}

// Shown as well while something about hosts is: a spare is prepared while the run trains.
void RunHosts::tellSaid() {
    std::vector<std::string> lines;
    {
        const MutexLock lock(m_said->mutex);
        lines.swap(m_said->lines);
    }
    for (auto& line : lines) {
        m_journal.log(-1, "info", line);
        if (m_journal.showsHostNotice()) m_journal.hostNotice(std::move(line));
    }
}

void RunHosts::take(const HostName& host, Host prepared) {
    if (host.empty()) prepared.paths = m_task.launch.files;
    else noteHost(host, {prepared.info.cores, prepared.info.devices});
    if (prepared.info.folder.empty()) prepared.info.folder = m_task.folder.root.string();
    auto there = m_task.spec;
    spec::relocate(there, prepared.paths);
    prepared.runJson = spec::toJson(there);
    m_hosts[host] = std::move(prepared);
}

void RunHosts::notePlaces() {
    if (m_task.spec.scaling.place != "free" || m_task.spec.hosts.empty()) return;
    const auto listed = [](const auto& hosts) {
        std::string text;
        for (const auto& host : hosts) text += (text.empty() ? "" : ", ") + nameOf(host);
        return text;
    };
    m_journal.log(-1, "info",
                  "placed on " + listed(m_pool.used()) +
                      (m_pool.spares().empty() ? "" : "; spares: " + listed(m_pool.spares())));
}

Result<void> RunHosts::prepare() {
    m_hosts.clear();
    const auto hosts = m_pool.used();
    if (hosts.size() > 1 || !hosts.contains(HostName()) || !m_pool.spares().empty()) {
        // Where this computer is the home of a run of another one, the files are not where the run file says.
        auto here = m_task.spec;
        spec::relocate(here, m_task.launch.files);
        if (!here.program) m_files = filesOf(here);
        else { TY_ASSIGN(m_program, ProgramNeeds::of(m_task)); }
    }
    std::map<HostName, HostCalls::Answer<Host>> answers;
    std::string names;
    for (const auto& host : hosts) {
        answers[host] = m_calls.ask(host, preparing(host));
        if (!host.empty()) names += (names.empty() ? "" : ", ") + host.text();
    }
    if (!names.empty()) m_journal.hostNotice("connecting to " + names);
    bool replaced = false;
    for (const auto& [host, answer] : answers) {
        auto prepared = m_calls.answerOf(host, answer);
        if (prepared) take(host, std::move(*prepared));
        else TY_TRY(standIn(host, prepared.error()));
        replaced = replaced || !prepared;
    }
    TY_TRY(checkPythons());
    for (const auto& spare : m_pool.spares())
        if (!m_asked.contains(spare)) m_asked[spare] = m_calls.askSpare(spare, preparing(spare));
    if (!replaced && !names.empty()) m_journal.hostNotice({});
    TY_TRY(addressThisComputer());
    tryWays();
    return {};
}

Result<void> RunHosts::prepareAgain(const HostName& host) {
    TY_ASSIGN(auto prepared, m_calls.on(host, preparing(host)));
    TY_TRY(checkPythons(host, &prepared, nameOf(host)));
    prepared.ranks = m_hosts[host].ranks;
    take(host, std::move(prepared));
    return {};
}

// A spare is prepared when the run begins; if that has failed, or the connection was lost, it is tried once more.
Result<RunHosts::Host> RunHosts::preparedSpare(const HostName& spare) {
    if (const auto asked = m_asked.extract(spare); !asked.empty()) {
        auto prepared = m_calls.answerOf(spare, asked.mapped());
        if (prepared || m_calls.isStopped()) return prepared;
    }
    return m_calls.on(spare, preparing(spare));
}

Result<HostName> RunHosts::standIn(const HostName& host, const Error& error) {
    for (auto tries = m_pool.spares().size(); tries > 0 && !m_calls.isStopped(); --tries) {
        const HostName spare = m_pool.spares().front();
        const std::string name = nameOf(spare);
        m_journal.hostNotice(nameOf(host) + " cannot be used: " + error.text() + "; preparing " + name);
        auto prepared = preparedSpare(spare);
        if (!prepared) {
            m_journal.log(-1, "warning",
                          name + " cannot take the place of " + nameOf(host) + ": " + prepared.error().text());
            m_pool.putLast(spare);
            continue;
        }
        if (const auto fits = checkPythons(host, &*prepared, name); !fits) {
            m_journal.log(-1, "warning",
                          name + " cannot take the place of " + nameOf(host) + ": " + fits.error().text());
            m_pool.putLast(spare);
            continue;
        }
        prepared->ranks = m_hosts[host].ranks;
        if (prepared->ranks > 0) m_replaced.insert(host);
        m_replaced.erase(spare);
        m_hosts.erase(host);
        take(spare, std::move(*prepared));
        m_pool.replace(host, spare);
        TY_TRY(addressThisComputer());
        m_journal.warn(-1, name + " takes the place of " + nameOf(host) + ", which cannot be used: " + error.text());
        m_journal.publish();
        return spare;
    }
    return error;
}

// Whether the Pythons of all prepared hosts fit together: with another one in the place of one of them.
Result<void> RunHosts::checkPythons(const HostName& without, const Host* with, const std::string& name) const {
    std::map<std::string, HostPython> pythons;
    for (const auto& [host, entry] : m_hosts)
        if (entry.program.python && !(with != nullptr && host == without))
            pythons.emplace(nameOf(host), *entry.program.python);
    if (with != nullptr && with->program.python) pythons.emplace(name, *with->program.python);
    return fitTogether(pythons);
}

RunHosts::Node RunHosts::nodeOf(const HostName& host, int ranks) const {
    std::vector<HostName> hosts;
    for (int rank = 0; rank < ranks; ++rank)
        if (const auto its = hostOf({rank, ranks}); std::ranges::find(hosts, its) == hosts.end()) hosts.push_back(its);
    const auto at = std::ranges::find(hosts, host) - hosts.begin();
    return {static_cast<int>(at), static_cast<int>(hosts.size())};
}

// A program's own checkpoint stays where it was saved. The others may be on another host than that.
Result<std::string> RunHosts::bringHere(const std::string& checkpoint) {
    const auto place = savedPlaceOf(checkpoint);
    const auto isThere = [&](const auto& entry) { return entry.first == place.host; };
    if (place.host.empty() || std::ranges::all_of(m_hosts, isThere)) return place.path;
    const auto here = fetchedPlace(m_task.folder.root, place);
    const auto fetched = m_calls.on<void>(
        place.host, [place, here](Launcher& launcher) { return launcher.fetchTree(place.host, place.path, here); });
    if (fetched) return here.string();
    return environmentError("the checkpoint to go on from is on " + place.host.text() +
                                " and cannot be copied: " + fetched.error().message,
                            checkpoint, "resume the run when " + place.host.text() + " can be reached")
        .withCode(fetched.error().code);
}

Result<void> RunHosts::stage(const std::string& checkpoint) {
    TY_ASSIGN(const auto here, bringHere(checkpoint));
    const auto saved = savedPlaceOf(checkpoint);
    std::map<HostName, HostCalls::Answer<std::string>> answers;
    for (const auto& [host, entry] : m_hosts) {
        if (!saved.host.empty() && host == saved.host) m_staged[host] = saved.path;
        else
            answers[host] = m_calls.ask<std::string>(
                host, [host = host, here](Launcher& launcher) { return launcher.stage(host, here); });
    }
    for (const auto& [host, answer] : answers) { TY_ASSIGN(m_staged[host], m_calls.answerOf(host, answer)); }
    return {};
}

const std::string* RunHosts::staged(const HostName& host) const {
    const auto found = m_staged.find(host);
    return found == m_staged.end() ? nullptr : &found->second;
}

std::set<HostName> RunHosts::withRanks() const {
    std::set<HostName> hosts;
    for (const auto& [host, entry] : m_hosts)
        if (!host.empty() && entry.ranks > 0) hosts.insert(host);
    return hosts;
}

// Also those where the run trained before, and will not from now on.
std::set<HostName> RunHosts::earlier() const {
    std::set<HostName> hosts;
    for (const auto& [host, entry] : m_hosts) hosts.insert(host);
    if (const auto query = store::RunQuery::open(m_task.workspace))
        if (const auto workers = (*query)->workers(m_task.launch.run))
            for (const auto& worker : *workers) hosts.insert(HostName(worker.host));
    hosts.erase(HostName());
    return hosts;
}

void RunHosts::takeFromEarlier(const SavedCheckpoints& here) { (void)takeFrom(earlier(), here); }

// What was prepared before may be on the other side of a link that is cut now: then the hosts that are waited for may
// be as well as the spares.
bool RunHosts::standInFor(const Away& away) {
    m_asked.clear();
    return std::all_of(away.begin(), away.end(),
                       [this](const auto& each) { return standIn(each.first, each.second).ok(); });
}

bool RunHosts::takeFromLast(const SavedCheckpoints& here, double heard) {
    const double linkSeconds = m_task.spec.failure.linkSeconds;
    LaunchRetries retries(monotonicSeconds(), linkSeconds);
    bool mayMove = !m_pool.spares().empty(); // before that is over
    for (;;) {
        const auto away = takeFrom(withRanks(), here);
        if (away.empty() || m_calls.isStopped()) return true;
        const auto pause = retries.nextPause(monotonicSeconds());
        m_journal.hostNotice((pause ? "waiting for a host: " : "a host stays away: ") + away.begin()->second.text());
        if (!pause) return standInFor(away);
        if (mayMove && monotonicSeconds() >= heard + linkSeconds) {
            if (standInFor(away)) return true;
            mayMove = false;
        }
        for (const double next = monotonicSeconds() + *pause; !m_calls.isStopped() && monotonicSeconds() < next;)
            m_calls.serve(next);
    }
}

RunHosts::Away RunHosts::takeFrom(std::set<HostName> hosts, const SavedCheckpoints& here) {
    Away away;
    const auto note = [&away](const HostName& host, const Error& error) {
        if (isLostHost(error.code)) away.insert_or_assign(host, error);
    };
    std::set<HostName> seen;
    for (const auto& [host, left] : endRanks(hosts))
        if (left) seen.insert(host);
        else note(host, left.error());
    std::vector<SavedThere> found;
    for (const auto& [host, saved] :
         m_calls.onEach<SavedThere>(seen, [run = m_task.launch.run](Launcher& launcher, const HostName& there) {
             return newestOn(launcher, there, run);
         }))
        if (saved) found.push_back(*saved);
        else note(host, saved.error());
    std::ranges::sort(found, std::greater<>(), &SavedThere::step);
    for (const auto& saved : found) {
        if (m_calls.isStopped() || saved.step <= here.newestStepHere()) break;
        if (const auto fetched = fetch(saved.host, saved.path); !fetched) note(saved.host, fetched.error());
    }
    return away;
}

Result<void> RunHosts::fetch(const HostName& host, const std::string& path) {
    const auto name = std::filesystem::path(path).filename().string();
    const auto fetched = m_calls.on<void>(host, [host, path, to = m_task.folder.checkpoints() / name](
                                                    Launcher& launcher) { return launcher.fetch(host, path, to); });
    m_journal.log(-1, fetched ? "info" : "warning",
                  fetched
                      ? "took " + name + " from " + host.text() + ", where the ranks had saved it without a supervisor"
                      : name + " on " + host.text() + " could not be taken over: " + fetched.error().text());
    return fetched;
}

// On a host, ranks may train on for failure.linkSeconds. They are asked to save first. Returns how many are left on
// each host, or why it could not be looked at.
std::map<HostName, Result<int>> RunHosts::endRanks(const std::set<HostName>& hosts) {
    const auto signalAll = [&](const std::set<HostName>& to, int number) {
        return m_calls.onEach<int>(to, [run = m_task.launch.run, number](Launcher& launcher, const HostName& host) {
            return launcher.signalAll(host, run, number);
        });
    };
    std::map<HostName, Result<int>> left;
    std::set<HostName> busy; // where some are left
    const auto note = [&](const std::map<HostName, Result<int>>& counts) {
        busy.clear();
        for (const auto& [host, count] : counts) {
            left.insert_or_assign(host, count);
            if (!count)
                m_journal.log(-1, "warning",
                              "cannot look for ranks of this run on " + host.text() + ": " + count.error().text());
            else if (*count > 0) busy.insert(host);
        }
    };
    const double asked = monotonicSeconds();
    note(signalAll(hosts, SIGTERM));
    for (const auto& host : busy) {
        const auto text = std::to_string(*left.at(host)) + " processes of this run were left on " + host.text();
        m_journal.log(-1, "warning", text + "; asking them to save and end");
        m_journal.hostNotice(text + "; waiting until they have saved and ended");
    }
    (void)signalAll(busy, SIGCONT); // for one that is stopped
    const auto isWaitedFor = [&] {
        const double waited = monotonicSeconds() - asked;
        return waited < kAskedSeconds || (waited < kSaveLimit && anySaves(busy));
    };
    while (!busy.empty() && !m_calls.isStopped() && isWaitedFor()) {
        m_calls.serve(monotonicSeconds() + kHostLookSeconds);
        note(signalAll(busy, 0));
    }
    note(signalAll(busy, SIGKILL));
    return left;
}

// Whether one of them has a checkpoint that is being written.
bool RunHosts::anySaves(const std::set<HostName>& hosts) {
    const auto listed = m_calls.onEach<std::vector<std::string>>(
        hosts, [run = m_task.launch.run](Launcher& launcher, const HostName& host) {
            return checkpointsOn(launcher, host, run);
        });
    const auto isBeingWritten = [](const std::string& file) {
        return ownerOfTemporary(std::filesystem::path(file).filename().string()) > 0;
    };
    return std::ranges::any_of(
        listed, [&](const auto& each) { return each.second && std::ranges::any_of(*each.second, isBeingWritten); });
}

RunHosts::Left RunHosts::endLeft(const std::map<HostName, int>& running, bool hurried) {
    const auto& run = m_task.launch.run;
    std::set<HostName> leftOn;
    int left = 0, unknown = 0;
    std::string unheard;
    auto hosts = withRanks();
    hosts.insert(m_replaced.begin(), m_replaced.end());
    std::set<HostName> lost;
    for (const auto& host : m_lost)
        if (hosts.erase(host) > 0) lost.insert(host);
    auto counts = m_calls.signalAll(hosts, run, 0, hurried ? kLeftSeconds : kCountSeconds);
    counts.merge(m_calls.signalAll(lost, run, 0, kLostSeconds));
    for (const auto& [host, count] : counts) {
        if (!count) {
            unheard += (unheard.empty() ? "" : ", ") + host.text();
            if (const auto found = running.find(host); found != running.end()) unknown += found->second;
        } else if (*count > 0) {
            left += *count;
            leftOn.insert(host);
            m_journal.log(-1, "warning",
                          std::to_string(*count) + " processes of the run were left on " + host.text() +
                              ", and are ended");
        }
    }
    if (!unheard.empty())
        m_journal.log(-1, "warning",
                      "what is left on " + unheard +
                          " cannot be seen; workers there save and end after failure.linkSeconds");
    for (const double until = monotonicSeconds() + kLeftSeconds; left > 0 && monotonicSeconds() < until;) {
        left = 0;
        for (const auto& [host, count] : m_calls.signalAll(leftOn, run, SIGKILL, kLeftSeconds))
            left += count.value_or(0);
    }
    return {left + unknown, unheard};
}

} // namespace trainyard::run
