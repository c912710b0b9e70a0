// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/served_versions.h"

#include "engine/base/clock.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"

#include <algorithm>
#include <cstdio>

namespace trainyard::serve {
namespace {

constexpr double kScaleSeconds = 0.1; // between two looks at the load
constexpr double kOthersSeconds = 5;  // for the other replicas of a candidate

std::string versionsOf(const ServedName& name) {
    std::string list;
    for (const auto& each : name.entries) list += (list.empty() ? "" : ", ") + each->lane->version();
    return list;
}

} // namespace

LaneEntry* ServedName::withRole(VersionRole role) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each->role == role; });
    return found == entries.end() ? nullptr : found->get();
}

ServedVersions::ServedVersions(LaneHouse& house, LaneListener& listener, Check check)
    : m_house(house), m_listener(listener), m_check(std::move(check)) {}

void ServedVersions::begin() {
    const ServiceSpec& spec = m_house.spec;
    for (const ServedModel& model : spec.models) {
        auto name = std::make_unique<ServedName>();
        name->name = model.name;
        name->scale = ScalePolicy(spec.minReplicas, spec.maxReplicas, spec.targetMs);
        auto entry = std::make_unique<LaneEntry>();
        entry->lane = std::make_unique<VersionLane>(model, m_house, m_listener);
        entry->role = VersionRole::Current;
        // What it takes is known once it has been loaded; with min 0 it goes again after a while.
        entry->lane->want(std::max(1, spec.minReplicas));
        name->entries.push_back(std::move(entry));
        m_names.push_back(std::move(name));
    }
}

ServedName* ServedVersions::find(std::string_view name) {
    if (name.empty()) return m_names.empty() ? nullptr : m_names.front().get();
    const auto found =
        std::find_if(m_names.begin(), m_names.end(), [&](const auto& each) { return each->name == name; });
    return found == m_names.end() ? nullptr : found->get();
}

ServedName* ServedVersions::nameOf(const VersionLane& lane) {
    for (const auto& name : m_names)
        for (const auto& entry : name->entries)
            if (entry->lane.get() == &lane) return name.get();
    return nullptr;
}

LaneEntry* ServedVersions::entryOf(const VersionLane& lane) {
    for (const auto& name : m_names)
        for (const auto& entry : name->entries)
            if (entry->lane.get() == &lane) return entry.get();
    return nullptr;
}

LaneEntry* ServedVersions::choose(ServedName& name, std::string_view version, std::string_view id) {
    if (!version.empty()) {
        for (const auto& each : name.entries)
            if (each->lane->version() == version && each->role != VersionRole::Candidate) return each.get();
        return nullptr;
    }
    if (LaneEntry* const canary = name.withRole(VersionRole::Canary))
        if (versionFor(id, {{canary->lane->version(), canary->share}})) return canary;
    return name.current();
}

Result<ServedName*> ServedVersions::named(const std::string& name) {
    ServedName* const found = find(name);
    if (found != nullptr) return found;
    std::vector<std::string> names;
    for (const auto& each : m_names) names.push_back(each->name);
    const std::string near = nearestWord(name, names);
    return inputError("no model \"" + printable(name, 60) + "\" is served here", {},
                      near.empty() ? "see: trainyardctl serve status" : "did you mean " + near + "?");
}

Result<void> ServedVersions::tryVersion(const ServedModel& model, VersionRole goal, double share, Verdict told) {
    TY_ASSIGN(ServedName* const name, named(model.name));
    const HeldModel held(m_house.models, model.file); // until its lane holds it
    if (!held.isThere())
        return inputError("there is no such file", model.file, "name a checkpoint that is there")
            .withCode(ErrorCode::FileMissing);
    if (name->withRole(VersionRole::Candidate) != nullptr)
        return inputError("another version is being tried", name->name, "wait until that is done");
    for (const auto& each : name->entries)
        if (each->lane->version() == model.version() && each->role != VersionRole::Former)
            return inputError(model.version() + " is served already, as " + toString(each->role), name->name,
                              "name another checkpoint");
    if (goal != VersionRole::Current && name->withRole(goal) != nullptr)
        return inputError(std::string("there is a ") + toString(goal) + " already", name->name,
                          "promote it, or end it: trainyardctl serve canary NAME --share 0");
    auto entry = std::make_unique<LaneEntry>();
    ServedModel tried = model;
    tried.name = name->name;
    entry->lane = std::make_unique<VersionLane>(std::move(tried), m_house, m_listener);
    entry->goal = goal;
    entry->share = share;
    entry->lane->startBehind(name->current() != nullptr && name->current()->lane->isReady());
    entry->told = std::move(told);
    // As many as serve now, so that it can take all of the load at once.
    LaneEntry* const current = name->current();
    entry->lane->want(goal == VersionRole::Current && current ? std::max(1, current->lane->wanted()) : 1);
    name->entries.push_back(std::move(entry));
    return {};
}

void ServedVersions::laneReady(VersionLane& lane) {
    ServedName* const name = nameOf(lane);
    LaneEntry* const entry = entryOf(lane);
    if (name == nullptr) return;
    lane.startBehind(false);
    if (entry->role == VersionRole::Candidate) entry->readySince = monotonicSeconds();
}

// Once all its replicas are ready, or the first has waited for the others for a while: it is to take all of the load.
void ServedVersions::checkCandidate(ServedName& name, LaneEntry& candidate) {
    VersionLane& lane = *candidate.lane;
    candidate.readySince = 0;
    LaneEntry* const entry = &candidate;
    LaneEntry* const current = name.current();
    if (current && current->lane->signature() && lane.signature() &&
        current->lane->signature()->inputs != lane.signature()->inputs)
        return settle(name, *entry,
                      inputError("takes other inputs than the version that serves now", lane.model().file,
                                 "serve it as a service of its own"));
    if (!name.sample) return settle(name, *entry, {});
    m_check(lane, *name.sample, [this, &lane](const Result<void>& verdict) {
        ServedName* const its = nameOf(lane);
        LaneEntry* const tried = entryOf(lane);
        if (its != nullptr && tried->role == VersionRole::Candidate) settle(*its, *tried, verdict);
    });
}

void ServedVersions::laneFailed(VersionLane& lane, const Error& error) {
    ServedName* const name = nameOf(lane);
    LaneEntry* const entry = entryOf(lane);
    if (name == nullptr) return;
    if (entry->role == VersionRole::Candidate) return settle(*name, *entry, error);
    entry->reason = error.text();
}

// It becomes what it is to be, or goes again.
void ServedVersions::settle(ServedName& name, LaneEntry& candidate, const Result<void>& verdict) {
    const auto told = std::move(candidate.told);
    candidate.told = {};
    if (!verdict) {
        m_lastReason = candidate.lane->version() + " was not taken: " + verdict.error().text();
        std::fprintf(stderr, "trainyardctl: %s\n", m_lastReason.c_str());
        candidate.role = VersionRole::Former; // let go of in turn(): this may be called from within its lane
        candidate.reason = verdict.error().text();
        candidate.goal = VersionRole::Candidate;
        candidate.lane->want(0);
    } else if (candidate.goal == VersionRole::Current) {
        makeCurrent(name, candidate);
    } else {
        candidate.role = candidate.goal;
    }
    if (told) told(verdict);
}

void ServedVersions::makeCurrent(ServedName& name, LaneEntry& entry) {
    LaneEntry* const current = name.current();
    for (const auto& each : name.entries)
        if (each->role == VersionRole::Former && each.get() != &entry) { // only one is kept warm
            each->goal = VersionRole::Candidate;
            each->lane->want(0);
        }
    if (current != nullptr && current != &entry) {
        current->role = VersionRole::Former;
        entry.lane->want(std::max(entry.lane->wanted(), current->lane->wanted()));
    }
    entry.role = VersionRole::Current;
    entry.goal = VersionRole::Current;
    entry.share = 0;
    std::fprintf(stderr, "trainyardctl: %s answers for %s\n", entry.lane->version().c_str(), name.name.c_str());
}

Result<void> ServedVersions::setShare(const std::string& model, double share) {
    TY_ASSIGN(ServedName* const name, named(model));
    LaneEntry* canary = name->withRole(VersionRole::Canary);
    if (canary == nullptr) canary = name->withRole(VersionRole::Shadow);
    if (canary == nullptr)
        return inputError("no other version is tried beside the current one", name->name,
                          "begin with: trainyardctl serve canary NAME RUN@CHECKPOINT --share 0.1");
    if (!(share >= 0 && share <= 1)) return inputError("is not a share from 0 to 1", "share");
    canary->share = share;
    if (share > 0) return {};
    canary->role = VersionRole::Former;
    canary->goal = VersionRole::Candidate; // not kept
    canary->lane->want(0);
    return {};
}

Result<void> ServedVersions::promote(const std::string& model) {
    TY_ASSIGN(ServedName* const name, named(model));
    LaneEntry* tried = name->withRole(VersionRole::Canary);
    if (tried == nullptr) tried = name->withRole(VersionRole::Shadow);
    if (tried == nullptr)
        return inputError("no other version is tried beside the current one", name->name,
                          "begin with: trainyardctl serve canary NAME RUN@CHECKPOINT --share 0.1");
    makeCurrent(*name, *tried);
    return {};
}

Result<void> ServedVersions::rollback(const std::string& model) {
    TY_ASSIGN(ServedName* const name, named(model));
    for (const auto& each : name->entries)
        if (each->role == VersionRole::Former && each->goal != VersionRole::Candidate) {
            makeCurrent(*name, *each);
            return {};
        }
    return inputError("there is no former version to go back to", name->name, "it has " + versionsOf(*name));
}

Result<void> ServedVersions::scale(int least, int most) {
    ServiceSpec changed = m_house.spec;
    changed.minReplicas = least;
    changed.maxReplicas = most;
    TY_TRY(checkService(changed));
    m_scale = std::pair(least, most);
    for (const auto& name : m_names) {
        name->scale = ScalePolicy(least, most, m_house.spec.targetMs);
        if (LaneEntry* const current = name->current())
            current->lane->want(std::clamp(current->lane->wanted(), least, most));
    }
    return {};
}

void ServedVersions::turn(double now) {
    for (const auto& name : m_names)
        if (LaneEntry* const candidate = name->withRole(VersionRole::Candidate); candidate && candidate->readySince > 0)
            if (const VersionLane& lane = *candidate->lane;
                lane.readyReplicas() >= lane.wanted() || now > candidate->readySince + kOthersSeconds)
                checkCandidate(*name, *candidate);
    for (const auto& name : m_names)
        std::erase_if(name->entries, [](const auto& each) {
            const bool over = each->role == VersionRole::Former && each->goal == VersionRole::Candidate;
            return over && each->lane->jobs() == 0;
        });
    if (now < m_scaledAt + kScaleSeconds) return;
    m_scaledAt = now;
    for (const auto& name : m_names)
        for (const auto& each : name->entries) {
            VersionLane& lane = *each->lane;
            if (each->role == VersionRole::Former && each->goal != VersionRole::Candidate && lane.jobs() == 0) {
                lane.want(std::min(lane.wanted(), 1));
                continue;
            }
            if (each->role != VersionRole::Current || !lane.isReady()) continue;
            lane.want(name->scale.wanted(
                now, loadOf(lane.waitingRows(), lane.replicas(), lane.takeBusyShare(now), lane.table())));
        }
}

bool ServedVersions::isReady() const {
    return std::all_of(m_names.begin(), m_names.end(), [](const auto& each) {
        LaneEntry* const current = each->current();
        return current != nullptr && current->lane->isReady();
    });
}

std::vector<VersionStatus> ServedVersions::status(double now) const {
    std::vector<VersionStatus> all;
    for (const auto& name : m_names) {
        const LaneEntry* const canary = name->withRole(VersionRole::Canary);
        for (const auto& each : name->entries) {
            VersionStatus status;
            status.model = name->name;
            status.name = each->lane->version();
            status.file = each->lane->model().file;
            status.role = each->role;
            status.share = each->role == VersionRole::Current  ? 1 - (canary ? canary->share : 0)
                           : each->role == VersionRole::Canary ? each->share
                                                               : 0;
            for (const auto& [code, count] : each->figures.codes) {
                status.requests += count;
                status.errors += code >= 400 ? count : 0;
            }
            status.p50Ms = each->figures.total.quantileMs(now, 0.5);
            status.p99Ms = each->figures.total.quantileMs(now, 0.99);
            status.reason = each->reason;
            if (status.reason.empty() && each->lane->isReady()) status.reason = each->lane->trouble();
            if (each->compared > 0)
                status.reason = std::to_string(each->differ) + " of " + std::to_string(each->compared) +
                                " answers differ, by " + std::to_string(each->mostDiffer) + " at most";
            all.push_back(std::move(status));
        }
    }
    return all;
}

} // namespace trainyard::serve
