// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure_detector.h"
#include "engine/run/supervise/rendezvous_store.h"
#include "engine/run/supervise/worker_link.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard::run {

// The worker processes of a run: those of the present group by rank, the store in which it meets, and the processes of
// all groups on this computer. A generation is a set of workers that form one group after another; the number counts
// groups.
class Workers {
public:
    using Links = std::vector<std::unique_ptr<WorkerLink>>;

    int generation() const { return m_generation; } // -1: there has been none
    void beginGeneration();                         // nobody is there yet
    void beginGroup();                              // what belongs to the group before is over

    // As a list of the present ones.
    Links::iterator begin() { return m_links.begin(); }
    Links::iterator end() { return m_links.end(); }
    Links::const_iterator begin() const { return m_links.begin(); }
    Links::const_iterator end() const { return m_links.end(); }
    bool empty() const { return m_links.empty(); }
    std::size_t size() const { return m_links.size(); }
    int count() const { return static_cast<int>(m_links.size()); }
    WorkerLink& first() { return *m_links.front(); }
    const WorkerLink& first() const { return *m_links.front(); }
    WorkerLink& at(int rank) { return *m_links[static_cast<std::size_t>(rank)]; }
    const WorkerLink& at(int rank) const { return *m_links[static_cast<std::size_t>(rank)]; }
    Ranks records() const;

    // The ranks of a group that an earlier supervisor has launched.
    void adopt(int generation, Links links);
    void continueAfter(int generation); // the next group is of a later one
    void add(Links links);
    void replace(int rank, std::unique_ptr<WorkerLink> link);
    void drop(const std::vector<int>& ranks); // the others keep their numbers until renumber()
    void renumber();                          // in their order, on each host

    void sendAll(const wire::Message& message);
    void lookForExits();
    bool anyHasStepped() const; // it holds a state that others could go on from
    bool anyHasTrained() const; // in this run or in one before
    bool allFinished() const;   // false where there are none
    bool anyStopped() const;    // of those that have finished
    bool allTrain() const;
    bool allSettled() const;
    double samplesPerSecond() const;
    double lastHeard(double now) const; // `now` where there are none

    // Ranks exchange their state, so all are of one version: that of the first that has said Hello.
    const std::string& commonVersion(const std::string& said);

    // Requests to the store in which the present group meets.
    void serve(const WorkerLink& link, const wire::StoreSet& request);
    void serve(const WorkerLink& link, const wire::StoreAdd& request);
    void serve(const WorkerLink& link, const wire::StoreGet& request);
    void serve(const WorkerLink& link, const wire::StoreCheck& request);

    // Processes on this computer, by process group: one was started, or no longer belongs to this run.
    void noteStarted(std::int64_t group) { m_groups.push_back(group); }
    void forget(std::int64_t group) { std::erase(m_groups, group); }
    std::size_t livingHere() const;

private:
    void deliver(const std::vector<RendezvousStore::Reply>& replies);

    int m_generation = -1;
    Links m_links;
    std::vector<std::int64_t> m_groups; // of every generation
    RendezvousStore m_rendezvous;
    std::string m_version;
};

} // namespace trainyard::run
