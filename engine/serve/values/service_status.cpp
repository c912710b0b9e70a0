// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/service_status.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>

namespace trainyard::serve {
namespace {

constexpr std::array kServiceStates{"starting", "ready", "draining", "stopped", "failed", "unreachable"};
constexpr std::array kReplicaStates{"starting", "warming", "idle", "busy", "ended"};
constexpr std::array kVersionRoles{"current", "former", "canary", "shadow", "candidate"};

template <class Enum, class Words>
std::optional<Enum> enumOf(const Words& words, const std::string& word) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (word == words[i]) return static_cast<Enum>(i);
    return std::nullopt;
}

// Members of an object that somebody else has written.
std::string textIn(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->template get<std::string>() : std::string();
}

double realIn(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->template get<double>() : 0.0;
}

std::int64_t countIn(const Json& json, const char* key, std::int64_t missing = 0) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->template get<std::int64_t>() : missing;
}

const Json& listIn(const Json& json, const char* key) {
    static const Json empty = Json::array();
    const auto found = json.find(key);
    return found != json.end() && found->is_array() ? *found : empty;
}

Json replicaJson(const ReplicaStatus& each) {
    return {{"number", each.number},         {"pid", each.pid},
            {"model", each.model},           {"version", each.version},
            {"state", toString(each.state)}, {"answered", each.answered},
            {"restarts", each.restarts}};
}

Json versionJson(const VersionStatus& each) {
    return {{"model", each.model},  {"name", each.name},         {"file", each.file},     {"role", toString(each.role)},
            {"share", each.share},  {"requests", each.requests}, {"errors", each.errors}, {"p50_ms", each.p50Ms},
            {"p99_ms", each.p99Ms}, {"reason", each.reason}};
}

std::optional<ReplicaStatus> readReplica(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    const auto state = enumOf<ReplicaState>(kReplicaStates, textIn(json, "state"));
    if (!state) return std::nullopt;
    return ReplicaStatus{.number = static_cast<int>(countIn(json, "number")),
                         .pid = countIn(json, "pid"),
                         .model = textIn(json, "model"),
                         .version = textIn(json, "version"),
                         .state = *state,
                         .answered = countIn(json, "answered"),
                         .restarts = static_cast<int>(countIn(json, "restarts"))};
}

std::optional<VersionStatus> readVersion(const Json& json) {
    if (!json.is_object()) return std::nullopt;
    const auto role = enumOf<VersionRole>(kVersionRoles, textIn(json, "role"));
    if (!role) return std::nullopt;
    return VersionStatus{.model = textIn(json, "model"),
                         .name = textIn(json, "name"),
                         .file = textIn(json, "file"),
                         .role = *role,
                         .share = realIn(json, "share"),
                         .requests = countIn(json, "requests"),
                         .errors = countIn(json, "errors"),
                         .p50Ms = realIn(json, "p50_ms"),
                         .p99Ms = realIn(json, "p99_ms"),
                         .reason = textIn(json, "reason")};
}

LatencyCounts readLatency(const Json& json) {
    LatencyCounts latency;
    if (!json.is_object()) return latency;
    for (const Json& each : listIn(json, "bounds_ms"))
        if (each.is_number()) latency.boundsMs.push_back(each.get<double>());
    for (const Json& each : listIn(json, "counts"))
        if (each.is_number_integer()) latency.counts.push_back(each.get<std::int64_t>());
    if (latency.counts.size() != latency.boundsMs.size() + 1) return {};
    return latency;
}

std::map<int, std::int64_t> readCodes(const Json& json) {
    std::map<int, std::int64_t> codes;
    for (const Json& each : listIn(json, "codes"))
        if (each.is_object()) codes[static_cast<int>(countIn(each, "code"))] = countIn(each, "count");
    return codes;
}

} // namespace

const char* toString(ServiceState state) { return kServiceStates[static_cast<std::size_t>(state)]; }
const char* toString(ReplicaState state) { return kReplicaStates[static_cast<std::size_t>(state)]; }
const char* toString(VersionRole role) { return kVersionRoles[static_cast<std::size_t>(role)]; }

Json statusToJson(const ServiceStatus& status) {
    Json json{{"name", status.name},
              {"state", toString(status.state)},
              {"reason", status.reason},
              {"url", status.url},
              {"pid", status.pid},
              {"started_at", status.startedAt},
              {"qps", status.qps},
              {"p50_ms", status.p50Ms},
              {"p99_ms", status.p99Ms},
              {"waiting", status.waiting},
              {"in_flight", status.inFlight},
              {"answered", status.answered},
              {"restarts", status.restarts},
              {"processes_left", status.processesLeft}};
    Json codes = Json::array(), replicas = Json::array(), versions = Json::array(), signatures = Json::array();
    for (const auto& [code, count] : status.codes) codes.push_back(Json{{"code", code}, {"count", count}});
    for (const auto& each : status.replicas) replicas.push_back(replicaJson(each));
    for (const auto& each : status.versions) versions.push_back(versionJson(each));
    for (const auto& each : status.signatures) signatures.push_back(parseJson(signatureToJson(each)));
    if (!status.on.empty()) json["on"] = status.on;
    json["codes"] = std::move(codes);
    json["latency"] = Json{{"bounds_ms", status.latency.boundsMs}, {"counts", status.latency.counts}};
    json["replicas"] = std::move(replicas);
    json["versions"] = std::move(versions);
    json["signatures"] = std::move(signatures);
    return json;
}

Result<ServiceStatus> statusFromJson(std::string_view text, const std::string& where) {
    const Json json = parseJson(text);
    if (!json.is_object()) return inputError("is not a JSON object", where, "it is written by a service's server");
    const auto state = enumOf<ServiceState>(kServiceStates, textIn(json, "state"));
    if (!state) return inputError("has no state that is known here", where, "use a newer Trainyard");
    ServiceStatus status;
    status.name = textIn(json, "name");
    status.state = *state;
    status.reason = textIn(json, "reason");
    status.url = textIn(json, "url");
    status.on = textIn(json, "on");
    status.pid = countIn(json, "pid");
    status.startedAt = realIn(json, "started_at");
    status.qps = realIn(json, "qps");
    status.p50Ms = realIn(json, "p50_ms");
    status.p99Ms = realIn(json, "p99_ms");
    status.waiting = countIn(json, "waiting");
    status.inFlight = countIn(json, "in_flight");
    status.answered = countIn(json, "answered");
    status.restarts = countIn(json, "restarts");
    status.processesLeft = static_cast<int>(countIn(json, "processes_left", -1));
    status.codes = readCodes(json);
    status.latency = readLatency(json.contains("latency") ? json["latency"] : Json());
    for (const Json& each : listIn(json, "replicas"))
        if (auto replica = readReplica(each)) status.replicas.push_back(std::move(*replica));
    for (const Json& each : listIn(json, "versions"))
        if (auto version = readVersion(each)) status.versions.push_back(std::move(*version));
    for (const Json& each : listIn(json, "signatures"))
        if (auto signature = signatureFromJson(jsonText(each))) status.signatures.push_back(std::move(*signature));
    return status;
}

} // namespace trainyard::serve
