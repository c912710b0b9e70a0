// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/server/version_lane.h"
#include "engine/serve/values/latency_figures.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What is counted of one version.
struct VersionFigureSet {
    LatencyFigures total, queue, compute, batchRows; // the last in rows, not in ms
    std::map<int, std::int64_t> codes;
};

// One version with its place among those of its model.
struct LaneEntry {
    std::unique_ptr<VersionLane> lane;
    VersionRole role = VersionRole::Candidate;
    VersionRole goal = VersionRole::Current; // of a candidate: what it is to become
    double share = 0;
    std::string reason;
    VersionFigureSet figures;
    std::function<void(const Result<void>&)> told; // who waits for a candidate
    double readySince =
        0; // of a candidate whose other replicas are waited for; 0: none is ready, or it is being checked
    std::int64_t compared = 0, differ = 0; // of a shadow
    double mostDiffer = 0;
};

// Some request that was answered well: what a new version has to be able to answer, too.
struct StoredSample {
    SlotHead head;
    std::vector<std::byte> input;
    double at = 0; // monotonic seconds
};

// A model under its name, with the versions that it has now.
struct ServedName {
    std::string name;
    std::vector<std::unique_ptr<LaneEntry>> entries;
    std::optional<StoredSample> sample;
    ScalePolicy scale{1, 1, 50};
    double waitedSince = 0;

    LaneEntry* withRole(VersionRole role);
    LaneEntry* current() { return withRole(VersionRole::Current); }
};

// Which versions of which models are served, and how one takes the place of another.
class ServedVersions {
public:
    // `check` computes a sample in a candidate and calls back with what is wrong, if anything.
    using Verdict = std::function<void(const Result<void>&)>;
    using Check = std::function<void(VersionLane& lane, const StoredSample& sample, Verdict verdict)>;
    ServedVersions(LaneHouse& house, LaneListener& listener, Check check);

    // The first versions of all models; they load from then on.
    void begin();
    // The model of that name; empty: the first. Null: there is none.
    ServedName* find(std::string_view name);
    std::vector<std::unique_ptr<ServedName>>& all() { return m_names; }
    LaneEntry* entryOf(const VersionLane& lane);
    // The version for a request: the named one, or by its id. Null: there is none of that name.
    LaneEntry* choose(ServedName& name, std::string_view version, std::string_view id);

    // Loads a version beside the others, which then becomes Current, Canary or Shadow; `told` is called when it has, or
    // with why not. Input at once: the model or its file is not there, or a version is being tried.
    Result<void> tryVersion(const ServedModel& model, VersionRole goal, double share, Verdict told);
    Result<void> setShare(const std::string& name, double share);
    Result<void> promote(const std::string& name);
    // The former version is the current one again. Input: there is none.
    Result<void> rollback(const std::string& name);
    Result<void> scale(int least, int most);

    void laneReady(VersionLane& lane);
    void laneFailed(VersionLane& lane, const Error& error);
    // Scales, and lets go of versions that have nothing left to do.
    void turn(double now);
    // Whether every model has a version that computes.
    bool isReady() const;
    std::vector<VersionStatus> status(double now) const;
    const std::string& lastReason() const { return m_lastReason; }

private:
    ServedName* nameOf(const VersionLane& lane);
    void checkCandidate(ServedName& name, LaneEntry& candidate);
    void settle(ServedName& name, LaneEntry& candidate, const Result<void>& verdict);
    void makeCurrent(ServedName& name, LaneEntry& entry);
    Result<ServedName*> named(const std::string& name);

    LaneHouse& m_house;
    LaneListener& m_listener;
    const Check m_check;
    std::vector<std::unique_ptr<ServedName>> m_names;
    std::optional<std::pair<int, int>> m_scale; // as asked for later
    double m_scaledAt = 0;
    std::string m_lastReason; // why the last candidate was not taken
};

} // namespace trainyard::serve
