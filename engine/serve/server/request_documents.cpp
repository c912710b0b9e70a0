// SPDX-License-Identifier: GPL-3.0-or-later
// What a service says about itself over HTTP.
#include "engine/serve/protocol/prometheus_text.h"
#include "engine/serve/protocol/service_documents.h"
#include "engine/serve/server/request_desk.h"

#include <array>

namespace trainyard::serve {
namespace {

HttpAnswer jsonAnswer(std::string body) {
    HttpAnswer answer;
    answer.body = std::move(body);
    return answer;
}

HttpAnswer stateAnswer(bool good, const char* word) {
    HttpAnswer answer;
    answer.status = good ? 200 : 503;
    answer.body = std::string("{\"") + word + "\":" + (good ? "true" : "false") + "}";
    if (!good) answer.headers.emplace_back("Retry-After", "1");
    return answer;
}

// `scale` brings the unit of the figures to that of Prometheus.
FigureBuckets bucketsOf(const LatencyFigures& figures, double scale) {
    FigureBuckets buckets;
    constexpr std::size_t kEach = 4; // sixteen bounds are enough there
    std::int64_t sum = 0;
    const auto& all = figures.all();
    for (std::size_t i = 0; i < LatencyFigures::kBounds; ++i) {
        sum += all[i];
        if (i % kEach != kEach - 1) continue;
        buckets.bounds.push_back(LatencyFigures::boundMs(i) * scale);
        buckets.counts.push_back(sum);
        sum = 0;
    }
    buckets.counts.push_back(sum + all.back());
    buckets.sum = figures.sumMs() * scale;
    return buckets;
}

} // namespace

std::optional<HttpAnswer> RequestDesk::document(const Route& route) {
    if (route.kind == RouteKind::ServerMetadata) return jsonAnswer(serverMetadata());
    if (route.kind == RouteKind::Live) return stateAnswer(true, "live");
    if (route.kind == RouteKind::Ready) return stateAnswer(!m_draining && m_versions.isReady(), "ready");
    if (route.kind == RouteKind::Metrics) return metrics();
    if (route.kind == RouteKind::OpenApi) {
        std::vector<ModelSignature> models;
        for (const auto& name : m_versions.all())
            if (const LaneEntry* const current = name->current(); current && current->lane->signature())
                models.push_back(*current->lane->signature());
        return jsonAnswer(openApi(m_spec.name, models));
    }
    ServedName* const name = m_versions.find(route.model);
    const LaneEntry* const entry = name ? m_versions.choose(*name, route.version, {}) : nullptr;
    if (entry == nullptr)
        return errorAnswer(404, "no such model or version is served here", route.model,
                           "GET /openapi.json lists the models");
    if (route.kind == RouteKind::ModelReady) return stateAnswer(!m_draining && entry->lane->isReady(), "ready");
    if (!entry->lane->signature()) return stateAnswer(false, "ready");
    std::vector<std::string> versions;
    for (const auto& each : name->entries)
        if (each->role != VersionRole::Candidate) versions.push_back(each->lane->version());
    return jsonAnswer(modelMetadata(*entry->lane->signature(), versions));
}

HttpAnswer RequestDesk::metrics() {
    ServiceFigures figures;
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries) {
            const std::string& version = each->lane->version();
            for (const auto& [code, count] : each->figures.codes)
                figures.codes.push_back({name->name, version, code, count});
            figures.versions.push_back({name->name, version, bucketsOf(each->figures.total, 1e-3),
                                        bucketsOf(each->figures.queue, 1e-3), bucketsOf(each->figures.compute, 1e-3),
                                        bucketsOf(each->figures.batchRows, 1)});
            figures.waiting += each->lane->jobs() - each->lane->jobsInFlight();
            figures.inFlight += each->lane->jobsInFlight();
            figures.restarts += each->lane->restarts();
            for (const auto& replica : each->lane->status()) {
                figures.replicasIdle += replica.state == ReplicaState::Idle ? 1 : 0;
                figures.replicasBusy += replica.state == ReplicaState::Busy ? 1 : 0;
                figures.replicasStarting +=
                    replica.state == ReplicaState::Starting || replica.state == ReplicaState::Warming ? 1 : 0;
            }
        }
    figures.connections = m_front ? static_cast<std::int64_t>(m_front->connections()) : 0;
    figures.startedAt = m_begunAt;
    figures.ready = !m_draining && m_versions.isReady();
    HttpAnswer answer = jsonAnswer(prometheusText(figures));
    answer.contentType = kPrometheusType;
    return answer;
}

} // namespace trainyard::serve
