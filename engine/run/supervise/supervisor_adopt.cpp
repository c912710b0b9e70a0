// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks of a program that have outlived the supervisor before this one: they go on as if nothing had happened.
#include "engine/base/clock.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/program/bond/adopted_keeper.h"
#include "engine/run/program/program_stop.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kEndSeconds = 5;    // for what was killed to be gone
constexpr double kLetEndSeconds = 5; // beyond a program's grace

std::vector<bool> livesOf(const std::vector<RankNote>& notes) {
    std::vector<bool> lives;
    for (const auto& note : notes) lives.push_back(isKeeperAlive(note));
    return lives;
}

std::string ranksWithout(const std::vector<RankNote>& notes, const std::vector<bool>& lives) {
    std::string ranks;
    for (std::size_t i = 0; i < notes.size(); ++i)
        if (!lives[i]) ranks += (ranks.empty() ? "" : ", ") + std::to_string(notes[i].rank);
    return ranks;
}

} // namespace

bool Supervisor::adoptRanks(std::string& notice) {
    if (!m_setup.task.spec.program) return false;
    const auto notes = readRankNotes(m_setup.task.folder.root);
    const auto lives = livesOf(notes);
    const auto adoption = judgeAdoption(notes, lives);
    if (adoption == Adoption::Nothing) return false;
    if (!m_journal.goesOn())
        if (const auto loaded = loadHistory(); !loaded)
            m_journal.log(-1, "warning", "what is stored of this run cannot be read: " + loaded.error().text());
    for (const auto& note : notes) m_workers.continueAfter(note.generation);
    if (adoption == Adoption::All) {
        const auto taken = takeOver(notes);
        if (taken) return true;
        notice = taken.error().text() + "; the other ranks were ended";
    } else if (adoption == Adoption::EndRest) {
        const auto gone = ranksWithout(notes, lives);
        notice = "the supervisor of this run and " +
                 (gone.empty() ? std::string("a part of its ranks") : "the keeper of rank " + gone) +
                 " were killed; the other ranks were ended";
    }
    endKeepers(notes, adoption != Adoption::Await);
    return false;
}

Result<void> Supervisor::takeOver(const std::vector<RankNote>& notes) {
    Workers::Links links;
    const double now = monotonicSeconds();
    for (const auto& note : notes) {
        TY_ASSIGN(auto process, adoptKeeper(m_setup.task.folder.root, note));
        const WorkerLink::Placement placement{note.rank, note.localRank, note.localWorldSize, {}};
        links.push_back(
            std::make_unique<WorkerLink>(placement, std::move(process), m_setup.task.folder.rankLog(note.rank), now));
        links.back()->started = true;
    }
    const int ranks = static_cast<int>(notes.size());
    m_hosts.deal(ranks);
    m_journal.row().worldSize = ranks;
    for (const auto& link : links) m_journal.state().workers.push_back(link->state);
    m_workers.adopt(notes.front().generation, std::move(links));
    m_failures.watch(endedForMemory(), now);
    m_recovery.beginGroup({});
    m_journal.log(-1, "warning", "the supervisor of this run was killed; its ranks went on, and have another one");
    goOnStopping(notes);
    m_journal.publish();
    return {};
}

// A trial waits for its sweep, and a job for Slurm. Ranks on other hosts end with their supervisor: the next one starts
// them again.
void Supervisor::beginGuard() {
    const auto& spec = m_setup.task.spec;
    if (spec.program && m_journal.row().sweep.empty() && std::ranges::none_of(spec.hosts, spec::isSlurmHost))
        m_guard.begin(m_setup.task.folder.root);
}

// The strongest wish counts: the old supervisor may have told it to some ranks only.
void Supervisor::goOnStopping(const std::vector<RankNote>& notes) {
    for (const auto& note : notes) {
        if (!note.stop) continue;
        if (note.stop->mode != wire::StopMode::AtCheckpoint) requestStop(note.stop->mode);
        else if (m_stop.awaitCheckpoint({note.stop->step, note.stop->wallMs})) tellAwaited(note.stop->step);
    }
}

// With all that they have started. `atOnce`: else they are ending their programs already, and get the time for it.
void Supervisor::endKeepers(const std::vector<RankNote>& notes, bool atOnce) {
    std::vector<std::int64_t> alive;
    for (const auto& note : notes)
        if (isKeeperAlive(note)) alive.push_back(note.keeper);
    const auto anyLives = [&] { return std::ranges::any_of(alive, isAlive); };
    if (!atOnce) {
        m_journal.notice("waiting for earlier ranks of this run to save and end");
        const double grace = m_setup.task.spec.program->stop.graceSeconds + kGrowSeconds + kLetEndSeconds;
        for (const double until = monotonicSeconds() + grace; !m_stop && anyLives() && monotonicSeconds() < until;)
            pump(monotonicSeconds() + 0.1);
        m_journal.state().notice.clear();
    }
    std::ranges::for_each(notes, endKeeper);
    const double until = monotonicSeconds() + kEndSeconds;
    for (bool left = true; left && monotonicSeconds() < until; pump(monotonicSeconds() + 0.02)) {
        const auto marked = livingMarked(kRunVariable, m_setup.task.launch.run);
        for (const auto pid : marked) ::kill(static_cast<pid_t>(pid), SIGKILL);
        left = anyLives() || !marked.empty();
    }
}

} // namespace trainyard::run
