// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/lineage.h"

#include "engine/spec/values/params.h"
#include "engine/sweep/results/adoption_record.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace trainyard::sweep {
namespace {

using Kind = LineageEntry::Kind;
constexpr std::size_t kFewTrials = 50; // a sweep that is shown whole

std::vector<LineageChange> changesBetween(const store::RunRow& before, const store::RunRow& after) {
    std::vector<LineageChange> changes;
    const auto comparison = run::compareRuns({run::StoredRun(before, {}), run::StoredRun(after, {})});
    for (const auto& row : comparison.rows)
        if (row.part == run::ComparedRow::Part::Setting && row.differs && row.name != "tags")
            changes.push_back({row.name, row.values[0], row.values[1]});
    return changes;
}

// What the parameters become; one that was not among them before has no value there.
std::vector<LineageChange> changesOf(const spec::Params& before, const spec::Params& after) {
    std::vector<LineageChange> changes;
    for (const auto& [path, value] : after) {
        const auto known = before.find(path);
        const std::string was = known == before.end() ? std::string() : spec::toText(known->second);
        if (was != spec::toText(value)) changes.push_back({path, was, spec::toText(value)});
    }
    return changes;
}

// Builds the tree from the top down.
class LineageTree {
public:
    LineageTree(const LineageFacts& facts, std::string asked) : m_facts(facts), m_asked(std::move(asked)) {
        for (const auto& run : facts.runs) {
            m_runs[run.id] = &run;
            if (!run.forkedFrom.empty()) m_forks[run.forkedFrom].push_back(&run);
            if (!run.sweep.empty()) m_trials[run.sweep].push_back(&run);
        }
        for (const auto& sweep : facts.sweeps) m_sweeps[sweep.id] = &sweep;
        const auto byBegin = [](const auto* a, const auto* b) {
            return std::pair(a->createdMs, a->id) < std::pair(b->createdMs, b->id);
        };
        for (auto& [id, forks] : m_forks) std::sort(forks.begin(), forks.end(), byBegin);
        for (auto& [id, trials] : m_trials)
            std::sort(trials.begin(), trials.end(), [](const auto* a, const auto* b) { return a->trial < b->trial; });
    }

    Lineage make() {
        if (m_sweeps.contains(m_asked)) addSweep(m_asked);
        else if (m_runs.contains(m_asked)) addTop(*m_runs.at(m_asked));
        return std::move(m_lineage);
    }

private:
    const store::RunRow* runOf(const std::string& id) const {
        const auto found = m_runs.find(id);
        return found == m_runs.end() ? nullptr : found->second;
    }
    LineageEntry entryOf(Kind kind, int depth, const store::RunRow& run) const {
        return {.kind = kind,
                .depth = depth,
                .id = run.id,
                .name = run.name,
                .status = run.status,
                .step = kind == Kind::Fork ? run.forkedStep : -1,
                .trial = run.trial,
                .wallMs = run.createdMs,
                .asked = run.id == m_asked};
    }

    // The first run that it goes back to, or that one's sweep.
    void addTop(const store::RunRow& asked) {
        const store::RunRow* top = &asked;
        m_path.insert(top->id);
        while (const auto* parent = runOf(top->forkedFrom)) {
            if (!m_path.insert(parent->id).second) break; // a circle: the record is damaged
            top = parent;
        }
        if (!top->sweep.empty() && m_sweeps.contains(top->sweep)) return addSweep(top->sweep);
        if (top->forkedFrom.empty()) return addRun(entryOf(Kind::Run, 0, *top), *top);
        m_lineage.entries.push_back({.kind = Kind::Run, .id = top->forkedFrom});
        addRun(entryOf(Kind::Fork, 1, *top), *top);
    }

    void addSweep(const std::string& id) {
        const auto& sweep = *m_sweeps.at(id);
        m_lineage.entries.push_back({.kind = Kind::Sweep,
                                     .id = sweep.id,
                                     .name = sweep.name,
                                     .status = sweep.status,
                                     .wallMs = sweep.createdMs,
                                     .asked = sweep.id == m_asked});
        const auto& trials = m_trials[id];
        const auto joined = joinedTrials(id, trials);
        for (const auto* trial : trials) {
            if (!joined.contains(trial->trial)) {
                ++m_lineage.otherTrials;
                continue;
            }
            LineageEntry entry = entryOf(Kind::Trial, 1, *trial);
            entry.changes = changesOf({}, startOf(*trial));
            addRun(std::move(entry), *trial);
        }
    }

    spec::Params startOf(const store::RunRow& trial) const {
        const auto sweep = m_facts.starts.find(trial.sweep);
        if (sweep != m_facts.starts.end())
            if (const auto own = sweep->second.find(trial.trial); own != sweep->second.end()) return own->second;
        return spec::paramsFromText(trial.paramsJson);
    }

    // Those of the run that was asked for, with all from which they took a state, or which took one from them.
    std::set<int> joinedTrials(const std::string& sweep, const std::vector<const store::RunRow*>& trials) const {
        std::set<int> joined;
        const bool all = sweep == m_asked || trials.size() <= kFewTrials;
        for (const auto* trial : trials)
            if (all || m_path.contains(trial->id)) joined.insert(trial->trial);
        const auto adoptions = m_facts.adoptions.find(sweep);
        if (adoptions == m_facts.adoptions.end()) return joined;
        for (bool grows = true; grows;) {
            grows = false;
            for (const auto& [taker, taken] : adoptions->second)
                for (const Adoption& each : taken) {
                    if (each.donor < 0 || joined.contains(taker) == joined.contains(each.donor)) continue;
                    joined.insert({taker, each.donor});
                    grows = true;
                }
        }
        return joined;
    }

    void addRun(LineageEntry entry, const store::RunRow& run) {
        if (!m_added.insert(run.id).second) return;
        if (entry.kind == Kind::Fork)
            if (const auto* parent = runOf(run.forkedFrom)) entry.changes = changesBetween(*parent, run);
        const int below = entry.depth + 1;
        m_lineage.entries.push_back(std::move(entry));
        addResumes(run, below);
        addAdoptions(run, below);
        const auto forks = m_forks.find(run.id);
        if (forks == m_forks.end()) return;
        for (const auto* fork : forks->second) addRun(entryOf(Kind::Fork, below, *fork), *fork);
    }

    void addResumes(const store::RunRow& run, int depth) {
        const auto events = m_facts.events.find(run.id);
        if (events == m_facts.events.end()) return;
        for (const auto& event : events->second) {
            if (event.kind != store::RunEventKind::Resumed) continue;
            LineageEntry entry = entryOf(Kind::Resumed, depth, run);
            entry.asked = false;
            entry.step = event.step;
            entry.wallMs = event.wallMs;
            m_lineage.entries.push_back(std::move(entry));
        }
    }

    void addAdoptions(const store::RunRow& run, int depth) {
        const auto ofSweep = m_facts.adoptions.find(run.sweep);
        if (ofSweep == m_facts.adoptions.end()) return;
        const auto own = ofSweep->second.find(run.trial);
        if (own == ofSweep->second.end()) return;
        spec::Params before = startOf(run);
        for (const Adoption& adoption : own->second) {
            if (adoption.donor < 0) continue; // it found no state to take
            LineageEntry entry{
                .kind = Kind::Adopted, .depth = depth, .trial = run.trial, .donor = adoption.donor, .t = adoption.t};
            const auto& trials = m_trials[run.sweep];
            const auto donor = std::find_if(trials.begin(), trials.end(),
                                            [&](const auto* trial) { return trial->trial == adoption.donor; });
            if (donor != trials.end()) {
                entry.id = (*donor)->id;
                entry.name = (*donor)->name;
                entry.status = (*donor)->status;
            }
            entry.changes = changesOf(before, adoption.params);
            before = adoption.params;
            m_lineage.entries.push_back(std::move(entry));
        }
    }

    const LineageFacts& m_facts;
    std::string m_asked;
    std::map<std::string, const store::RunRow*> m_runs;
    std::map<std::string, const store::SweepRow*> m_sweeps;
    std::map<std::string, std::vector<const store::RunRow*>> m_forks, m_trials; // by the run, the sweep
    std::set<std::string> m_path, m_added; // from what was asked for up to the top; those that are in the tree
    Lineage m_lineage;
};

} // namespace

const char* toString(Kind kind) {
    switch (kind) {
    case Kind::Run: return "run";
    case Kind::Sweep: return "sweep";
    case Kind::Trial: return "trial";
    case Kind::Fork: return "fork";
    case Kind::Resumed: return "resumed";
    case Kind::Adopted: return "adopted";
    }
    return "";
}

Lineage lineageOf(const LineageFacts& facts, const std::string& id) { return LineageTree(facts, id).make(); }

Result<Lineage> readLineage(store::RunQuery& query, const std::string& runOrSweep) {
    std::string id;
    if (const auto run = query.run(runOrSweep)) {
        id = run->id;
    } else {
        const auto sweep = query.sweep(runOrSweep);
        if (!sweep) return run.error();
        id = sweep->id;
    }
    LineageFacts facts;
    TY_ASSIGN(facts.runs, query.runs(true));
    TY_ASSIGN(facts.sweeps, query.sweeps());
    for (const auto& sweep : facts.sweeps) {
        TY_ASSIGN(const auto rows, query.adoptions(sweep.id));
        if (rows.empty()) continue;
        facts.adoptions[sweep.id] = adoptionsOf(rows);
        TY_ASSIGN(const auto starts, query.trialStarts(sweep.id));
        for (const auto& start : starts)
            facts.starts[sweep.id].try_emplace(start.trial, spec::paramsFromText(start.params));
    }
    // Twice: the events are needed of those runs only that are in the tree.
    const auto known = lineageOf(facts, id);
    for (const auto& entry : known.entries)
        if (entry.kind != Kind::Sweep && entry.kind != Kind::Adopted) {
            TY_ASSIGN(facts.events[entry.id], query.events(entry.id));
        }
    return lineageOf(facts, id);
}

std::string describe(const LineageEntry& entry) {
    char t[32];
    std::snprintf(t, sizeof t, "%.4g", entry.t);
    switch (entry.kind) {
    case Kind::Run: return entry.status == wire::RunStatus::Unknown && entry.name.empty() ? "deleted run" : "run";
    case Kind::Sweep: return "sweep";
    case Kind::Trial: return "trial " + std::to_string(entry.trial);
    case Kind::Fork: return entry.step < 0 ? "fork" : "fork of step " + std::to_string(entry.step);
    case Kind::Resumed: return "resumed from step " + std::to_string(entry.step);
    case Kind::Adopted: return "adopted trial " + std::to_string(entry.donor) + " at " + t;
    }
    return "";
}

std::string changesText(const std::vector<LineageChange>& changes) {
    std::string text;
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("-") : value; };
    for (const auto& [setting, before, after] : changes) {
        text += (text.empty() ? "" : ", ") + setting + " ";
        text += before.empty() ? shown(after) : before + " → " + shown(after);
    }
    return text;
}

} // namespace trainyard::sweep
