// SPDX-License-Identifier: GPL-3.0-or-later
// How a service fares: what its server tells over its control socket and leaves in state.json.
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/result.h"
#include "engine/serve/values/model_signature.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What a service does; Unreachable: it lives on a host whose link is lost, and goes on there.
enum class ServiceState { Starting, Ready, Draining, Stopped, Failed, Unreachable };
// What a replica does; Warming: it tries its model out.
enum class ReplicaState { Starting, Warming, Idle, Busy, Ended };
// What a version of a model is to it; Candidate: it is being loaded.
enum class VersionRole { Current, Former, Canary, Shadow, Candidate };
// "ready", "warming", "current": the words in JSON.
const char* toString(ServiceState state);
const char* toString(ReplicaState state);
const char* toString(VersionRole role);

// One process that computes.
struct ReplicaStatus {
    int number = 0;
    std::int64_t pid = 0; // 0: none now
    std::string model, version;
    ReplicaState state = ReplicaState::Starting;
    std::int64_t answered = 0; // samples
    int restarts = 0;          // how often another process took its place
    bool operator==(const ReplicaStatus&) const = default;
};

// One checkpoint of a model that is served, was served last, or is tried.
struct VersionStatus {
    std::string model, name /* RUN@STEP */, file;
    VersionRole role = VersionRole::Current;
    double share = 0; // of the requests that name no version
    std::int64_t requests = 0, errors = 0;
    double p50Ms = 0, p99Ms = 0;
    std::string reason; // why a candidate was not taken; how a shadow's answers differ
    bool operator==(const VersionStatus&) const = default;
};

// Requests since the start and how long they took: bucket i holds latencies up to boundsMs[i], the last one the rest.
struct LatencyCounts {
    std::vector<double> boundsMs;
    std::vector<std::int64_t> counts; // one more than bounds
    bool operator==(const LatencyCounts&) const = default;
};

// All that is told of a service.
struct ServiceStatus {
    std::string name;
    ServiceState state = ServiceState::Starting;
    std::string reason; // why it failed, or what it waits for
    std::string url;
    std::string on; // the host that it lives on, whose process numbers these are; empty: this computer
    std::int64_t pid = 0;
    double startedAt = 0;                 // seconds since 1970
    double qps = 0, p50Ms = 0, p99Ms = 0; // of the last ten seconds
    std::int64_t waiting = 0, inFlight = 0, answered = 0, restarts = 0;
    std::map<int, std::int64_t> codes; // answers by status code
    LatencyCounts latency;
    std::vector<ReplicaStatus> replicas;
    std::vector<VersionStatus> versions;
    std::vector<ModelSignature> signatures;
    int processesLeft = -1; // of a service that has stopped; -1: not counted
};

Json statusToJson(const ServiceStatus& status);
// Total: what is missing or of another type is as in a new object. Input when it is no object, or a state is unknown.
Result<ServiceStatus> statusFromJson(std::string_view text, const std::string& where);

} // namespace trainyard::serve
