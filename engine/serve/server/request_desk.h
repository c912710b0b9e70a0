// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/http/http_front.h"
#include "engine/serve/protocol/infer_request.h"
#include "engine/serve/protocol/serve_route.h"
#include "engine/serve/server/access_log.h"
#include "engine/serve/server/served_versions.h"
#include "engine/serve/values/rate_limit.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::serve {

using DeadlineBook = std::multimap<double, RequestId>; // by monotonic seconds

// A request from its first line to its answer.
struct PendingRequest {
    Route route;
    std::string contentType, query, headerLength;
    double received = 0, deadline = 0;
    ServedName* name = nullptr;
    LaneEntry* entry = nullptr; // none yet
    std::string id;             // of its body, echoed
    std::vector<InferOutput> outputs;
    // Of each part, where there are several: JSON without brackets, or a tensor and its shape.
    struct Part {
        std::string text;
        std::vector<std::int64_t> shape;
    };
    std::vector<Part> parts;
    std::size_t left = 0; // parts that are not computed yet
    std::uint32_t batchRows = 0, computeUs = 0;
    double begun = 0; // when the first part was given away, as far as known
    std::optional<DeadlineBook::iterator> inBook;
};

// Answers HTTP: documents at once, predictions once the replicas have computed them.
class RequestDesk final : public HttpHandler {
public:
    // `ready` tells whether the service takes requests.
    RequestDesk(ServedVersions& versions, const ServiceSpec& spec, AccessLog& log);
    void setFront(HttpFront* front) { m_front = front; }
    // No more predictions are taken: 503.
    void drain() { m_draining = true; }

    BodyPlan head(RequestId id, const HttpHead& head) override;
    void body(RequestId id, std::span<const std::byte> body) override;
    void gone(RequestId id) override;

    void jobDone(VersionLane& lane, const SlotJob& job);
    void jobExpired(const SlotJob& job);
    void jobLost(const SlotJob& job, const Error& error);
    // Computes a sample in a lane for the server itself.
    void check(VersionLane& lane, const StoredSample& sample, ServedVersions::Verdict verdict);
    // Answers 504 to what has waited too long.
    void expire(double now);
    double nextDeadline() const;

    std::int64_t taken() const { return m_taken; } // predictions so far, answered or not
    std::int64_t pending() const { return static_cast<std::int64_t>(m_pending.size()); }
    const std::map<int, std::int64_t>& codes() const { return m_codes; }
    const LatencyFigures& latency() const { return m_latency; }

private:
    using Own = std::function<void(const SlotHead& head, std::span<const std::byte> output, const Error* error)>;

    std::optional<HttpAnswer> document(const Route& route);
    HttpAnswer metrics();
    std::optional<HttpAnswer> refuseEarly(const Route& route, const HttpHead& head, ServedName*& name);
    Result<void> takeInfer(RequestId id, PendingRequest& pending, std::span<const std::byte> body);
    Result<void> takePredict(RequestId id, PendingRequest& pending, std::span<const std::byte> body);
    bool fill(RequestId id, PendingRequest& pending, const SlotHead& like,
              const std::vector<std::span<const std::byte>>& rows);
    bool choose(RequestId id, PendingRequest& pending, std::string_view requestId);
    void finishParts(RequestId id, PendingRequest& pending);
    void finish(RequestId id, PendingRequest& pending, std::span<const std::byte> output,
                const std::vector<std::int64_t>& shape);
    void keepDeadline(RequestId id, PendingRequest& pending);
    void forgetDeadline(PendingRequest& pending);
    void writeDown(const Route& route, int status, double ms, std::string_view version);
    void refuse(RequestId id, int status, const Error& error);
    void send(RequestId id, PendingRequest& pending, HttpAnswer answer);
    void keepSample(PendingRequest& pending, const SlotHead& head, std::span<const std::byte> input);
    void shadow(PendingRequest& pending, const SlotHead& head, std::span<const std::byte> input,
                std::span<const std::byte> output);
    bool giveOwn(VersionLane& lane, const SlotHead& head, std::span<const std::byte> input, Own own);

    ServedVersions& m_versions;
    const ServiceSpec& m_spec;
    AccessLog& m_log;
    HttpFront* m_front = nullptr;
    InferReader m_reader;
    RateLimit m_rate;
    std::string m_lastPath; // of a prediction: most requests have the path of the one before
    Route m_lastRoute;
    std::unordered_map<RequestId, PendingRequest> m_pending;
    DeadlineBook m_deadlines;
    std::unordered_map<RequestId, Own> m_own; // jobs of the server itself
    RequestId m_nextOwn;
    std::int64_t m_taken = 0;
    bool m_draining = false;
    std::map<int, std::int64_t> m_codes;
    LatencyFigures m_latency;
    double m_begunAt;
};

} // namespace trainyard::serve
