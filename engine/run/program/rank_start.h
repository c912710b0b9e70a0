// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/fork/script_note.h"
#include "engine/run/program/rank_plan.h"
#include "engine/spec/run/preload.h"

#include <functional>

namespace trainyard::run {

// What is known of a rank before it starts.
struct StartFacts {
    spec::Preload preload{};
    ScriptNote note{};
    bool isPython = false;   // a script or module
    int ranks = 1;           // of the run
    bool mayRestart = false; // all of them, if one fails
};

// Rule: which modules a rank is forked with; none: it is started as a program.
// With `auto` those that an earlier run of the script was seen to import. Not where forking it has failed; nor, with
// `auto`, where several ranks could not be started again if it did.
std::vector<std::string> modulesToFork(const StartFacts& facts);

// Rule: whether forking may be to blame for the end of a forked rank.
// It failed by itself, within a minute, before its first point. A signal that only others send is no such failure.
bool mayBlameForking(const ExitStatus& status, bool hasPoint, double seconds);

// How one rank is started, and what its runs teach: FORK_SERVER.md.
class RankStart {
public:
    explicit RankStart(const KeptRank& rank, std::filesystem::path cache = {}); // cache: else the user's cache folder

    bool forksWith(std::string_view package) const; // it is to be forked from a Python that has imported it

    // Whether its ranks, forked, may meet at a store of the keeper: until that was to blame for a failure.
    bool mayHaveStore() const { return m_facts.note.store; }

    // Waits until the descriptor is readable or, by monotonic seconds, that time has come, or shorter.
    using Wait = std::function<void(int fd, double until)>;
    // Forked, else as a program; the errors of RankProcess::start().
    Result<RankProcess> start(const KeptRank& rank, const Wait& wait);
    // As a program, whatever is known.
    Result<RankProcess> startAsProgram(const KeptRank& rank);

    // Looks what a running rank imports; at most every quarter of a second, and not for long.
    void look(const RankProcess& process, double now);
    double lookDue() const { return m_lookDue; } // infinite: it has seen enough
    // It has its first point, or has ended well (nullptr).
    void prove(const RankProcess* process = nullptr);
    // A forked rank has failed so that it has to be started once as a program. `reason`: of its end. Where that gets
    // further, the store of the keeper was to blame if its ranks had met there, else forking.
    void doubt(const std::string& reason, bool hadStore);
    // A forked rank cannot be one.
    void refuse(const std::string& reason);
    // It has failed before its first point.
    void fail();
    double secondsSince(double now) const { return now - m_begun; } // the start

    // What people should be told since the last call: in the log, and by the run itself.
    std::vector<std::string> takeLines() { return std::exchange(m_lines, {}); }
    std::vector<std::string> takeNotices() { return std::exchange(m_notices, {}); }

private:
    std::unique_ptr<ForkedRank> fork(const KeptRank& rank, const Wait& wait);
    std::unique_ptr<ForkedRank> asked(const KeptRank& rank, const Wait& wait, ForkReply& reply);
    void cannot(const ForkReply& reply);
    void keep();

    std::filesystem::path m_file; // of the note; empty: none is kept
    StartFacts m_facts;
    std::vector<std::string> m_modules; // to fork with
    std::vector<std::string> m_seen;    // imported
    std::vector<std::string> m_lines{}, m_notices{};
    double m_begun = 0, m_lookDue = 0;
    bool m_proven = false;
};

} // namespace trainyard::run
