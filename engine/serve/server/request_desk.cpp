// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/request_desk.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/serve/protocol/infer_answer.h"
#include "engine/serve/protocol/predict_body.h"
#include "engine/serve/protocol/service_documents.h"
#include "engine/serve/server/row_text.h"
#include "engine/serve/values/error_body.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

namespace trainyard::serve {
namespace {

constexpr RequestId kOwn = RequestId{1} << 63; // numbers of the server's own jobs begin here
constexpr std::size_t kMostRows = 4096;

HttpAnswer fromError(int status, const Error& error) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = errorBody(error);
    if (status == 503) answer.headers.emplace_back("Retry-After", "1");
    return answer;
}

Error fullError() {
    return environmentError("more requests wait than the service takes", {},
                            "try again in a second, or serve with more replicas");
}

std::string pathOf(const Route& route) {
    const std::string model = route.model.empty() ? "" : "/" + route.model;
    if (route.kind == RouteKind::Predict) return "/predict" + model;
    return "/v2/models" + model + (route.version.empty() ? "" : "/versions/" + route.version) + "/infer";
}

void readParameters(const std::string& text, SlotHead& head) {
    const auto json = parseSortedJson(text);
    if (!json.is_object()) return;
    const auto number = [&](const char* key, double missing) {
        const auto found = json.find(key);
        return found != json.end() && found->is_number() ? found->get<double>() : missing;
    };
    head.top = static_cast<std::uint32_t>(std::clamp(number("top", 5), 1.0, 1000.0));
    head.continueBy = static_cast<std::uint32_t>(std::clamp(number("continue", 0), 0.0, 4096.0));
    head.temperature = static_cast<float>(std::clamp(number("temperature", 0), 0.0, 100.0));
    head.seed = static_cast<std::int64_t>(std::clamp(number("seed", 1), 0.0, 9e15));
}

// As "queue;dur=0.112, compute;dur=0.080, batch;desc=\"8\"", in ms.
std::string timingText(double queueUs, std::uint32_t computeUs, std::uint32_t batchRows) {
    std::string text;
    text.reserve(64);
    const auto add = [&](std::uint64_t number, int leastDigits = 1) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        text.append(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, leastDigits - (end - digits))), '0');
        text.append(digits, end);
    };
    const auto ms = [&](std::uint64_t us) {
        add(us / 1000);
        text += '.';
        add(us % 1000, 3);
    };
    text += "queue;dur=";
    ms(static_cast<std::uint64_t>(std::llround(std::clamp(queueUs, 0.0, 1e12))));
    text += ", compute;dur=";
    ms(computeUs);
    text += ", batch;desc=\"";
    add(batchRows);
    text += '"';
    return text;
}

std::span<const std::byte> bytesOfText(std::string_view text) { return std::as_bytes(std::span(text)); }

} // namespace

RequestDesk::RequestDesk(ServedVersions& versions, const ServiceSpec& spec, AccessLog& log)
    : m_versions(versions), m_spec(spec), m_log(log), m_rate(spec.perSecond), m_nextOwn(kOwn),
      m_begunAt(static_cast<double>(wallClockMs()) / 1e3) {}

BodyPlan RequestDesk::head(RequestId id, const HttpHead& head) {
    BodyPlan plan;
    const bool isKnown = head.method == HttpMethod::Post && !m_lastPath.empty() && head.path == m_lastPath;
    Route route = isKnown ? m_lastRoute : routeOf(head.method, head.path);
    if (route.kind == RouteKind::NotFound || route.kind == RouteKind::WrongMethod || route.kind == RouteKind::BadPath) {
        plan.answer = refuseRoute(route, head.path);
        ++m_codes[plan.answer->status];
        return plan;
    }
    if (route.kind != RouteKind::Infer && route.kind != RouteKind::Predict) {
        plan.answer = document(route);
        return plan;
    }
    ServedName* name = nullptr;
    plan.answer = refuseEarly(route, head, name);
    if (plan.answer) {
        ++m_codes[plan.answer->status];
        if (m_log.takes(plan.answer->status)) m_log.add("POST", head.path, plan.answer->status, 0, "-");
        return plan;
    }
    if (!isKnown) {
        m_lastPath = head.path;
        m_lastRoute = route;
    }
    ++m_taken;
    PendingRequest& pending = m_pending[id];
    pending.route = std::move(route);
    if (pending.route.kind == RouteKind::Predict) {
        pending.contentType = head.header("Content-Type");
        pending.query = head.query;
    } else pending.headerLength = head.header("Inference-Header-Content-Length");
    pending.received = monotonicSeconds();
    pending.deadline = pending.received + m_spec.deadlineSeconds;
    pending.name = name;
    plan.most = static_cast<std::size_t>(m_spec.bodyMb) << 20;
    return plan;
}

// What can be said before any of the body is read.
std::optional<HttpAnswer> RequestDesk::refuseEarly(const Route& route, const HttpHead& head, ServedName*& name) {
    name = m_versions.find(route.model);
    if (name == nullptr)
        return errorAnswer(404, "no model \"" + printable(route.model, 60) + "\" is served here",
                           std::string(head.path), "GET /openapi.json lists the models");
    const LaneEntry* entry = route.version.empty() ? name->current() : m_versions.choose(*name, route.version, {});
    if (entry == nullptr && !route.version.empty())
        return errorAnswer(404, "no version \"" + printable(route.version, 60) + "\" of it is served",
                           std::string(head.path), "GET /v2/models/" + name->name + " lists the versions");
    if (m_draining) return fromError(503, environmentError("the service is about to stop", {}, "try again later"));
    if (entry == nullptr || !entry->lane->signature() || !entry->lane->isReady())
        return fromError(503,
                         environmentError(entry && !entry->reason.empty() ? entry->reason : "the model is being loaded",
                                          {}, "try again in a second"));
    if (route.kind == RouteKind::Predict)
        if (const int status = predictStatus(*entry->lane->signature(), head.header("Content-Type")); status != 0)
            return errorAnswer(
                status, "the model takes no body of the type \"" + printable(head.header("Content-Type"), 60) + "\"",
                "Content-Type",
                std::string("it takes what is said of ") + toString(entry->lane->signature()->kind) +
                    " in GET /openapi.json");
    if (!entry->lane->hasRoom(1, 1)) return fromError(503, fullError());
    const double now = monotonicSeconds();
    if (m_rate.take(now)) return std::nullopt;
    HttpAnswer answer =
        errorAnswer(429, "the service takes " + std::to_string(std::lround(m_spec.perSecond)) + " predictions a second",
                    {}, "send them more slowly, or several rows in each");
    answer.headers.emplace_back("Retry-After", std::to_string(m_rate.retryAfter(now)));
    return answer;
}

void RequestDesk::body(RequestId id, std::span<const std::byte> body) {
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    PendingRequest& pending = found->second;
    keepDeadline(id, pending);
    const auto taken =
        pending.route.kind == RouteKind::Infer ? takeInfer(id, pending, body) : takePredict(id, pending, body);
    if (!taken) refuse(id, 400, taken.error());
}

// The version that answers it; false: it has been refused.
bool RequestDesk::choose(RequestId id, PendingRequest& pending, std::string_view requestId) {
    pending.entry = m_versions.choose(*pending.name, pending.route.version,
                                      requestId.empty() ? std::string_view(std::to_string(id)) : requestId);
    if (pending.entry == nullptr || !pending.entry->lane->signature()) {
        refuse(id, 503, environmentError("the model is being loaded", {}, "try again in a second"));
        return false;
    }
    return true;
}

Result<void> RequestDesk::takeInfer(RequestId id, PendingRequest& pending, std::span<const std::byte> body) {
    LaneEntry* const current = m_versions.choose(*pending.name, pending.route.version, {});
    if (current == nullptr || !current->lane->signature())
        return environmentError("the model is being loaded", {}, "try again in a second");
    TY_ASSIGN(InferRequest request,
              m_reader.read(*current->lane->signature(), body, pending.headerLength, kBodyPadding));
    if (!choose(id, pending, request.id)) return {};
    pending.id = std::move(request.id);
    pending.outputs = std::move(request.outputs);
    if (request.timeoutUs > 0) {
        pending.deadline = std::min(pending.deadline, pending.received + static_cast<double>(request.timeoutUs) / 1e6);
        keepDeadline(id, pending);
    }
    if (request.inputs.size() != 1 || request.rows == 0)
        return inputError("has " + std::to_string(request.rows) + " rows", "inputs[0].shape", "send one at least");
    if (request.rows > kMostRows)
        return inputError("has " + std::to_string(request.rows) + " rows, and 4096 are taken at once",
                          "inputs[0].shape", "send several requests");
    const InferTensor& input = request.inputs.front();
    SlotHead like;
    like.wantsTensors = 1;
    std::vector<std::span<const std::byte>> rows;
    if (input.type == TensorType::Bytes) {
        const auto kind = pending.entry->lane->signature()->kind;
        like.kind = static_cast<std::uint32_t>(kind == InputKind::Image  ? SlotKind::Image
                                               : kind == InputKind::Text ? SlotKind::Text
                                                                         : SlotKind::Row);
        for (const auto& element : bytesElements(input.data)) rows.push_back(bytesOfText(element));
    } else {
        like.kind = static_cast<std::uint32_t>(SlotKind::Tensor);
        like.dimensions = static_cast<std::uint32_t>(std::min(input.shape.size(), kSlotDimensions));
        std::copy_n(input.shape.begin(), like.dimensions, like.shape);
        const std::size_t size = input.data.size() / request.rows;
        for (std::size_t row = 0; row < request.rows; ++row) rows.push_back(input.data.subspan(row * size, size));
    }
    if (!fill(id, pending, like, rows)) refuse(id, 503, fullError());
    return {};
}

Result<void> RequestDesk::takePredict(RequestId id, PendingRequest& pending, std::span<const std::byte> body) {
    if (!choose(id, pending, {})) return {};
    TY_ASSIGN(const PredictRequest request,
              readPredict(*pending.entry->lane->signature(), pending.contentType, pending.query, body));
    SlotHead like;
    readParameters(request.parameters, like);
    std::vector<std::string> made;
    std::vector<std::span<const std::byte>> rows;
    if (request.kind == InputKind::Image) {
        like.kind = static_cast<std::uint32_t>(SlotKind::Image);
        rows.push_back(request.image);
    } else if (request.kind == InputKind::Text) {
        like.kind = static_cast<std::uint32_t>(SlotKind::Text);
        for (const auto& text : request.texts) rows.push_back(bytesOfText(text));
    } else {
        like.kind = static_cast<std::uint32_t>(SlotKind::Row);
        for (const auto& cells : request.rows) made.push_back(rowText(cells));
        for (const auto& row : made) rows.push_back(bytesOfText(row));
    }
    if (rows.empty()) return inputError("holds no inputs", "body", "send one at least");
    if (!fill(id, pending, like, rows)) refuse(id, 503, fullError());
    return {};
}

// Cuts rows into slots; false: there is no room.
bool RequestDesk::fill(RequestId id, PendingRequest& pending, const SlotHead& like,
                       const std::vector<std::span<const std::byte>>& rows) {
    VersionLane& lane = *pending.entry->lane;
    const bool framed = like.kind != static_cast<std::uint32_t>(SlotKind::Tensor);
    const auto most = static_cast<std::size_t>(m_spec.batchMax);
    if (rows.size() > most * lane.allSlots() ||
        !lane.hasRoom(static_cast<std::int64_t>(rows.size()), (rows.size() + most - 1) / most))
        return false;
    const std::size_t frame = framed ? sizeof(std::uint32_t) : 0;
    std::vector<SlotJob> jobs;
    for (std::size_t row = 0; row < rows.size();) {
        const auto slot = lane.takeSlot();
        if (!slot) break;
        const auto room = lane.memory().input(*slot);
        std::size_t used = 0, count = 0;
        while (row < rows.size() && count < most && used + frame + rows[row].size() <= room.size()) {
            const auto length = static_cast<std::uint32_t>(rows[row].size());
            if (framed) std::memcpy(room.data() + used, &length, sizeof length);
            std::memcpy(room.data() + used + frame, rows[row].data(), rows[row].size());
            used += frame + rows[row].size();
            ++count, ++row;
        }
        if (count == 0) { // larger than a slot
            lane.release(*slot);
            break;
        }
        SlotHead& head = lane.memory().head(*slot);
        head = like;
        head.rows = static_cast<std::uint32_t>(count);
        head.inputBytes = used;
        head.shape[0] = static_cast<std::int64_t>(count);
        const bool picture = like.kind == static_cast<std::uint32_t>(SlotKind::Image);
        jobs.push_back({.request = id,
                        .part = static_cast<std::uint32_t>(jobs.size()),
                        .slot = *slot,
                        .rows = head.rows,
                        .pictures = picture ? static_cast<int>(count) : 0,
                        .tokens = static_cast<int>(like.continueBy * count),
                        .deaths = 0,
                        .since = monotonicSeconds(),
                        .deadline = pending.deadline});
    }
    std::size_t given = 0;
    for (const auto& job : jobs) given += job.rows;
    if (given < rows.size()) {
        for (const auto& job : jobs) lane.release(job.slot);
        return false;
    }
    pending.left = jobs.size();
    if (jobs.size() > 1) pending.parts.resize(jobs.size());
    for (const auto& job : jobs) lane.enqueue(job);
    return true;
}

void RequestDesk::gone(RequestId id) {
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    if (found->second.entry != nullptr) found->second.entry->lane->drop(id);
    writeDown(found->second.route, 499, 1e3 * (monotonicSeconds() - found->second.received), "-");
    forgetDeadline(found->second);
    m_pending.erase(found);
}

void RequestDesk::jobDone(VersionLane& lane, const SlotJob& job) {
    const SlotHead head = lane.memory().head(job.slot); // once: the replica could change it meanwhile
    const auto room = lane.memory().output(job.slot);
    const auto output = room.first(std::min<std::size_t>(head.outputBytes, room.size()));
    if (const auto own = m_own.find(job.request); own != m_own.end()) {
        const auto tell = std::move(own->second);
        m_own.erase(own);
        return tell(head, output, nullptr);
    }
    const auto found = m_pending.find(job.request);
    if (found == m_pending.end()) return; // it hung up, or waited too long
    PendingRequest& pending = found->second;
    if (head.status != static_cast<std::uint32_t>(SlotStatus::Done)) {
        const auto json =
            parseSortedJson(std::string_view(reinterpret_cast<const char*>(output.data()), output.size()));
        const auto member = [&](const char* key) {
            return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
        };
        const bool bad = head.status == static_cast<std::uint32_t>(SlotStatus::Bad);
        const std::string message = member("error");
        return refuse(job.request, bad ? 400 : 500,
                      inputError(message.empty() ? "cannot be computed" : message, member("where"), member("remedy")));
    }
    const double now = monotonicSeconds();
    const double computeMs = head.computeUs / 1e3;
    pending.entry->figures.compute.add(now, computeMs);
    pending.entry->figures.batchRows.add(now, head.batchRows);
    pending.entry->figures.queue.add(now, std::max(0.0, 1e3 * (now - job.since) - computeMs));
    pending.batchRows = head.batchRows;
    pending.computeUs += head.computeUs;
    pending.begun = std::max(pending.begun, now - job.since - head.computeUs / 1e6);
    std::vector<std::int64_t> shape;
    if (head.wantsTensors != 0 && head.outputDimensions <= kSlotDimensions)
        shape.assign(head.outputShape, head.outputShape + head.outputDimensions);
    --pending.left;
    if (pending.parts.empty()) {
        const auto input = lane.memory().input(job.slot).first(
            std::min<std::size_t>(head.inputBytes, lane.memory().layout().inputBytes));
        keepSample(pending, head, input);
        shadow(pending, head, input, output);
        return finish(job.request, pending, output, shape);
    }
    pending.parts[job.part] = {{reinterpret_cast<const char*>(output.data()), output.size()}, std::move(shape)};
    if (pending.left == 0) finishParts(job.request, pending);
}

void RequestDesk::finishParts(RequestId id, PendingRequest& pending) {
    const bool isJson = pending.route.kind == RouteKind::Predict;
    std::string joined;
    std::vector<std::int64_t> shape;
    for (const auto& part : pending.parts) {
        if (isJson && !joined.empty()) joined += ',';
        joined += part.text;
        if (shape.empty()) shape = part.shape;
        else shape.front() += part.shape.empty() ? 0 : part.shape.front();
    }
    finish(id, pending, bytesOfText(joined), shape);
}

// `output`: JSON without brackets, or a tensor of that shape.
void RequestDesk::finish(RequestId id, PendingRequest& pending, std::span<const std::byte> output,
                         const std::vector<std::int64_t>& shape) {
    HttpAnswer answer;
    if (pending.route.kind == RouteKind::Predict) {
        answer.body = "{\"inputs\":[";
        answer.body.append(reinterpret_cast<const char*>(output.data()), output.size());
        answer.body += "],\"task\":\"" + pending.entry->lane->signature()->task + "\"}\n";
        return send(id, pending, std::move(answer));
    }
    std::uint64_t numbers = shape.empty() ? 0 : 1;
    for (const auto side : shape) numbers *= static_cast<std::uint64_t>(std::max<std::int64_t>(0, side));
    if (numbers * sizeof(float) != output.size())
        return refuse(id, 500, runError("what the model gave has another size than its shape", "model"));
    InferAnswer given{
        .model = pending.name->name, .version = pending.entry->lane->version(), .id = pending.id, .outputs = {}};
    for (const auto& each : pending.outputs) given.outputs.push_back({each.name, TensorType::Fp32, shape, output});
    InferBody body = writeInfer(given, pending.outputs);
    answer.body = std::move(body.body);
    if (body.headerBytes) {
        answer.contentType = "application/octet-stream";
        answer.headers.emplace_back("Inference-Header-Content-Length", std::to_string(*body.headerBytes));
    }
    send(id, pending, std::move(answer));
}

void RequestDesk::send(RequestId id, PendingRequest& pending, HttpAnswer answer) {
    const double now = monotonicSeconds(), ms = 1e3 * (now - pending.received);
    ++m_codes[answer.status];
    m_latency.add(now, ms);
    std::string_view version = "-";
    answer.headers.reserve(answer.headers.size() + 2);
    if (pending.entry != nullptr) {
        version = pending.entry->lane->version();
        ++pending.entry->figures.codes[answer.status];
        pending.entry->figures.total.add(now, ms);
        answer.headers.emplace_back("X-Model-Version", version);
    }
    if (answer.status == 200)
        answer.headers.emplace_back("Server-Timing",
                                    timingText(1e6 * pending.begun, pending.computeUs, pending.batchRows));
    writeDown(pending.route, answer.status, ms, version);
    forgetDeadline(pending);
    m_pending.erase(id);
    if (m_front != nullptr) m_front->answer(id, std::move(answer));
}

void RequestDesk::refuse(RequestId id, int status, const Error& error) {
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    if (found->second.entry != nullptr) found->second.entry->lane->drop(id); // what is left of it
    send(id, found->second, fromError(status, error));
}

void RequestDesk::jobExpired(const SlotJob& job) {
    if (const auto own = m_own.find(job.request); own != m_own.end()) {
        const Error late = environmentError("was not computed in time", "sample");
        const auto tell = std::move(own->second);
        m_own.erase(own);
        return tell({}, {}, &late);
    }
    // The others of its parts may be looked at just now, so it is answered in expire().
}

void RequestDesk::jobLost(const SlotJob& job, const Error& error) {
    if (const auto own = m_own.find(job.request); own != m_own.end()) {
        const auto tell = std::move(own->second);
        m_own.erase(own);
        return tell({}, {}, &error);
    }
    std::fprintf(stderr, "trainyardctl: request %llu %s\n", static_cast<unsigned long long>(job.request),
                 error.message.c_str());
    const auto found = m_pending.find(job.request);
    if (found != m_pending.end()) send(job.request, found->second, fromError(500, error));
}

void RequestDesk::keepDeadline(RequestId id, PendingRequest& pending) {
    forgetDeadline(pending);
    pending.inBook = m_deadlines.emplace_hint(m_deadlines.end(), pending.deadline, id); // mostly the latest
}

void RequestDesk::forgetDeadline(PendingRequest& pending) {
    if (pending.inBook) m_deadlines.erase(*std::exchange(pending.inBook, std::nullopt));
}

void RequestDesk::writeDown(const Route& route, int status, double ms, std::string_view version) {
    if (m_log.takes(status)) m_log.add("POST", pathOf(route), status, ms, version);
}

void RequestDesk::expire(double now) {
    while (!m_deadlines.empty() && m_deadlines.begin()->first <= now) {
        const RequestId id = m_deadlines.begin()->second;
        const auto found = m_pending.find(id);
        if (found == m_pending.end()) { // it takes its place along when it goes, so this cannot be
            m_deadlines.erase(m_deadlines.begin());
            continue;
        }
        refuse(id, 504,
               environmentError(
                   "was not answered within its " +
                       std::to_string(std::lround(1e3 * (found->second.deadline - found->second.received))) + " ms",
                   {}, "try again, or serve with more replicas or a longer deadline"));
    }
}

double RequestDesk::nextDeadline() const {
    return m_deadlines.empty() ? std::numeric_limits<double>::infinity() : m_deadlines.begin()->first;
}

} // namespace trainyard::serve
