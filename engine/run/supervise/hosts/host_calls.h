// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/clock.h"
#include "engine/run/launch/host_tasks.h"
#include "engine/run/launch/launcher.h"

#include <poll.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// The launcher of a host (empty: this computer), which lives as long as a copy of the function. Of hosts other than
// this computer it is used by other threads, and possibly for some seconds after the supervisor has ended.
using LauncherFor = std::function<Launcher&(const HostName& host)>;

// A supervisor's calls of launchers. Those for other hosts run on threads of their own, hosts side by side, while the
// supervisor serves its loop. Used by one thread.
class HostCalls {
public:
    // The supervisor's loop, which continues during a wait.
    struct Loop {
        std::function<void(double until)> serve; // until then, monotonic, or something happens
        std::function<bool()> isStopped;         // nothing is to be waited for any more
    };
    HostCalls(LauncherFor launcherFor, Loop loop) : m_launcherFor(std::move(launcherFor)), m_loop(std::move(loop)) {}

    void serve(double until) { m_loop.serve(until); }
    bool isStopped() const { return m_loop.isStopped(); }

    template <class T>
    using Call = std::function<Result<T>(Launcher&)>; // it owns what it refers to
    template <class T>
    using Answer = std::shared_ptr<std::optional<Result<T>>>; // empty until it is there

    // The calls of one host run one after another. Those for this computer are over on return.
    template <class T>
    Answer<T> ask(const HostName& host, Call<T> call) {
        if (!host.empty()) return askIn<T>(m_calls, host, std::move(call));
        auto answer = std::make_shared<std::optional<Result<T>>>();
        answer->emplace(
            call(m_launcherFor(host))); // takes milliseconds, and a worker dies with the thread that starts it
        return answer;
    }
    // The same for a host that is only kept ready: it does not count against the limit of parallel calls.
    template <class T>
    Answer<T> askSpare(const HostName& host, Call<T> call) {
        return host.empty() ? ask<T>(host, std::move(call)) : askIn<T>(m_spares, host, std::move(call));
    }
    // Waits for it, but not beyond `until`. Stopped: the run is to stop. Environment with code HostUnreachable: no
    // answer by then; a later one is dropped.
    template <class T>
    Result<T> answerOf(const HostName& host, const Answer<T>& answer,
                       double until = std::numeric_limits<double>::infinity()) {
        while (!*answer) {
            if (monotonicSeconds() >= until)
                return environmentError("has not answered in time", host).withCode(ErrorCode::HostUnreachable);
            serve(std::min(until, monotonicSeconds() + kWaitSeconds));
            if (isStopped() && !*answer) return stoppedError("stopped while " + host.text() + " was waited for");
        }
        return std::move(**answer);
    }
    template <class T>
    Result<T> on(const HostName& host, Call<T> call) {
        return answerOf(host, ask<T>(host, std::move(call)));
    }
    // The same of several hosts, side by side.
    template <class T>
    std::map<HostName, Result<T>> onEach(const std::set<HostName>& hosts,
                                         std::function<Result<T>(Launcher&, const HostName& host)> call) {
        std::map<HostName, Answer<T>> answers;
        for (const auto& host : hosts)
            answers[host] = ask<T>(host, [call, host](Launcher& launcher) { return call(launcher, host); });
        std::map<HostName, Result<T>> results;
        for (const auto& [host, answer] : answers) results.emplace(host, answerOf(host, answer));
        return results;
    }
    // The number of processes of the run on each of these hosts, after a signal to each (0: none). Waits at most that
    // long: hosts that have not answered by then have no number.
    std::map<HostName, std::optional<int>> signalAll(const std::set<HostName>& hosts, const RunId& run,
                                                     int signalNumber, double seconds);

    // Copies a file of a host to `local`, apart from the other calls: a slow copy delays no launch of a rank.
    void fetch(const HostName& host, const std::string& remote, const std::filesystem::path& local,
               std::function<void(const Result<void>&)> done);
    // Removes a file of a run from another host; nobody waits for it. One call at a time removes all that a host should
    // remove by then, so that they do not pile up before its other calls where the link is slow.
    void remove(const HostName& host, const std::string& remote);

    void addPollEntries(std::vector<pollfd>& entries) const;
    void deliver(); // what has ended since

private:
    static constexpr double kWaitSeconds = 0.5;
    static constexpr std::size_t kFilesAtOnce = 200; // one argument of a shell holds 128 kB

    void removeUnwanted(const HostName& host);

    template <class T>
    Answer<T> askIn(HostTasks& tasks, const HostName& host, Call<T> call) {
        auto answer = std::make_shared<std::optional<Result<T>>>();
        tasks.start<Result<T>>(
            host, [launcherFor = m_launcherFor, host, call = std::move(call)] { return call(launcherFor(host)); },
            [answer](Result<T> result) { answer->emplace(std::move(result)); });
        return answer;
    }

    LauncherFor m_launcherFor;
    Loop m_loop;
    HostTasks m_calls, m_spares, m_copies;
    std::map<HostName, std::vector<std::string>> m_unwanted; // of hosts that remove others at the moment
};

} // namespace trainyard::run
