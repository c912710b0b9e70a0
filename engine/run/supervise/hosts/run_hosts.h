// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/run_files.h"
#include "engine/run/supervise/hosts/host_calls.h"
#include "engine/run/supervise/hosts/host_pool.h"
#include "engine/run/supervise/hosts/program_hosts.h"
#include "engine/run/supervise/hosts/run_task.h"
#include "engine/run/supervise/hosts/saved_checkpoints.h"
#include "engine/run/supervise/journal/run_journal.h"

#include <memory>

namespace trainyard::run {

// The hosts of one run: prepares them, copies files to them, and takes care of what ranks have left there. An empty
// host is this computer. Hosts work in parallel, and the supervisor's loop continues meanwhile.
class RunHosts {
public:
    struct Host {
        Launcher::HostInfo info;
        int ranks = 0;
        std::map<std::string, std::string> paths; // "model.path" -> where that file of the run file is there
        std::string runJson;                      // the run file with these paths
        ProgramThere program{};                   // of a run of a program
    };
    // All of them outlive it.
    RunHosts(const RunTask& task, HostCalls& calls, RunJournal& journal);

    // Logs which hosts were chosen for the run, where its run file has left that open.
    void notePlaces();
    // Connects to all hosts that ranks may be dealt to, and brings the run file's files there. A spare takes the place
    // of one that cannot be used. The other spares are prepared, too, so that one is ready when it is needed; they are
    // not waited for.
    Result<void> prepare();
    // Brings those files to one of them again, which has lost its copies.
    Result<void> prepareAgain(const HostName& host);
    // Which of the prepared hosts cannot reach each other, as far as is known by now. Logs slow links.
    std::optional<Error> judgeWays();
    bool triesWays() const { return !m_ways.empty(); } // some are not known yet
    void tellSaid();                                   // what launchers have said since, on their threads
    const HostPool& pool() const { return m_pool; }
    // Replaces an unusable host by a spare, where its ranks belong from now on. Returns the spare, or `error`, the
    // reason, when no spare can be used.
    Result<HostName> standIn(const HostName& host, const Error& error);
    // Brings the checkpoint to begin from to all of them. One that a program has saved on a host that cannot be reached
    // is named.
    Result<void> stage(const std::string& checkpoint);
    void forgetStaged() { m_staged.clear(); }
    const std::string* staged(const HostName& host) const; // its path there; null: none was staged
    // Its place among the hosts of a group of this size, from 0, in the order of their ranks; and how many have ranks.
    struct Node {
        int index = 0, count = 1;
    };
    Node nodeOf(const HostName& host, int ranks) const;
    // The host of a rank in a group of this size, and the number of ranks of each host.
    HostName hostOf(RankOf rank) const;
    void deal(int ranks);

    Host& at(const HostName& host) { return m_hosts[host]; }
    const Host& at(const HostName& host) const { return m_hosts.at(host); }
    const std::map<HostName, Host>& all() const { return m_hosts; }
    bool isOne() const { return m_hosts.size() <= 1; }

    // Brings the newest checkpoint that ranks without a supervisor have saved where the run is or has been, and ends
    // what is left of them there.
    void takeFromEarlier(const SavedCheckpoints& here);
    // The same for the hosts with ranks, and waits for them as long as their ranks wait for a supervisor: starting
    // without their checkpoints would train those steps again. `heard`: when a rank was heard last, the start of that
    // time. Then spares replace the hosts that stay away; if there are none, it waits as long once more. False: there
    // are too few spares.
    bool takeFromLast(const SavedCheckpoints& here, double heard);
    // Ranks of it were lost with it, or one was launched there again.
    void noteLost(const HostName& host) { m_lost.insert(host); }
    void noteHeard(const HostName& host) { m_lost.erase(host); }
    // Finds the processes of the run on the hosts themselves, logs and ends them. Lost hosts get little time. On a host
    // that does not answer, every process counts that is not known to have ended: `running`.
    struct Left {
        int processes = 0;    // all the same
        std::string unseenOn; // "h2, h3": hosts that do not answer, of which nobody knows
    };
    Left endLeft(const std::map<HostName, int>& running, bool hurried);

private:
    struct Said {
        Mutex mutex;
        std::vector<std::string> lines TY_GUARDED_BY(mutex);
    };
    void tryWays();
    struct Way {
        HostName from, to;
        HostCalls::Answer<std::optional<double>> answer; // bytes a second
    };
    void tellSlow(const Way& way, double bytesPerSecond);
    std::set<HostName> withRanks() const;
    std::set<HostName> earlier() const;
    Result<void> addressThisComputer();
    using Away = std::map<HostName, Error>; // hosts that cannot be reached, and how that shows
    Away takeFrom(std::set<HostName> hosts, const SavedCheckpoints& here);
    bool standInFor(const Away& away); // for all of them, by spares that answer now
    HostCalls::Call<Host> preparing(const HostName& host) const;
    Result<Host> preparedSpare(const HostName& spare);
    Result<void> checkPythons(const HostName& without = {}, const Host* with = nullptr,
                              const std::string& name = {}) const;
    Result<std::string> bringHere(const std::string& checkpoint);
    void take(const HostName& host, Host prepared);
    Result<void> fetch(const HostName& host, const std::string& path);
    std::map<HostName, Result<int>> endRanks(const std::set<HostName>& hosts);
    bool anySaves(const std::set<HostName>& hosts);

    const RunTask& m_task;
    HostCalls& m_calls;
    RunJournal& m_journal;
    HostPool m_pool;
    const std::shared_ptr<Said> m_said = std::make_shared<Said>();
    RunFiles m_files; // that other hosts need
    std::optional<ProgramNeeds> m_program;
    std::map<HostName, Host> m_hosts;
    std::map<HostName, HostCalls::Answer<Host>> m_asked; // spares that are being prepared, or are
    std::set<HostName> m_replaced;                       // hosts that had ranks before a spare took their place
    std::set<HostName> m_lost;
    std::vector<Way> m_ways;                  // that are being tried
    std::map<HostName, std::string> m_staged; // host -> the checkpoint to begin from, there
};

} // namespace trainyard::run
