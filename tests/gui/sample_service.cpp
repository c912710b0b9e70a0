// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/sample_service.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/serve/control/service_client.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <filesystem>

namespace trainyard::testing {

namespace {

constexpr int kAcceptMs = 20;

store::RunLock held(const serve::ServiceFolder& folder) {
    std::filesystem::create_directories(folder.root);
    auto lock = store::RunLock::acquire(folder.root);
    if (!lock) std::abort();
    return std::move(*lock);
}

} // namespace

serve::ServiceSpec busySpec(const std::string& name) {
    serve::ServiceSpec spec;
    spec.name = name;
    spec.models = {{name, "/tmp/runs/fashion/checkpoints/step-4690.safetensors", "fashion-mnist-mlp", 4690}};
    spec.port = 8100;
    spec.minReplicas = 1;
    spec.maxReplicas = 3;
    return spec;
}

serve::ServiceStatus busyStatus(const serve::ServiceSpec& spec) {
    using namespace serve;
    const ServedModel& model = spec.models.front();
    ServiceStatus status;
    status.name = spec.name;
    status.state = ServiceState::Ready;
    status.url = spec.url();
    status.pid = 4711;
    status.startedAt = static_cast<double>(wallClockMs()) / 1000 - 600;
    status.qps = 1240;
    status.p50Ms = 0.42;
    status.p99Ms = 1.87;
    status.waiting = 2;
    status.inFlight = 7;
    status.answered = 742'816;
    status.restarts = 1;
    status.codes = {{200, 742'816}, {400, 12}, {503, 3}};
    status.latency = {{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100},
                      {0, 12'400, 402'800, 291'000, 30'100, 6'000, 480, 36, 0, 0, 0}};
    status.replicas = {{0, 4801, model.name, model.version(), ReplicaState::Busy, 402'112, 0},
                       {1, 4802, model.name, model.version(), ReplicaState::Idle, 339'871, 1},
                       {2, 4803, model.name, "fashion-mnist-mlp@9380", ReplicaState::Warming, 833, 0}};
    status.versions = {
        {model.name, model.version(), model.file, VersionRole::Current, 0.9, 668'534, 3, 0.42, 1.87, {}},
        {model.name, "fashion-mnist-mlp@9380", model.file, VersionRole::Canary, 0.1, 74'282, 0, 0.44, 1.92, {}},
        {model.name, "fashion-mnist-mlp@2345", model.file, VersionRole::Former, 0, 120'412, 0, 0.41, 1.8, {}}};
    ModelSignature signature;
    signature.name = model.name;
    signature.version = model.version();
    signature.task = "classification";
    signature.kind = InputKind::Image;
    status.signatures = {signature};
    return status;
}

void leaveService(const store::Workspace& workspace, const serve::ServiceSpec& spec,
                  const serve::ServiceStatus& status) {
    const auto folder = serve::ServiceFolder::of(workspace, spec.name);
    std::filesystem::create_directories(folder.root);
    if (!writeFileAtomic(folder.spec(), serve::serviceJson(spec)) || !serve::writeState(folder, status)) std::abort();
}

StandingService::StandingService(const store::Workspace& workspace, const serve::ServiceSpec& spec,
                                 const serve::ServiceStatus& status)
    : m_folder(serve::ServiceFolder::of(workspace, spec.name)), m_lock(held(m_folder)),
      m_listener(serve::listenForControl(m_folder.controlSocket())), m_status(status) {
    leaveService(workspace, spec, status);
    if (!m_listener) std::abort();
    m_thread = std::thread([this] { serve(); });
}

StandingService::~StandingService() {
    m_ends = true;
    m_thread.join();
}

void StandingService::tell(const serve::ServiceStatus& status) {
    const MutexLock lock(m_mutex);
    m_status = status;
}

std::vector<std::string> StandingService::requests() const {
    const MutexLock lock(m_mutex);
    return m_requests;
}

std::string StandingService::answerTo(const std::string& line) {
    const Json question = parseJson(line);
    const MutexLock lock(m_mutex);
    if (question.is_object() && question.value("do", "") == "status")
        return jsonText(serve::statusToJson(m_status)) + '\n';
    m_requests.push_back(line);
    return "{}\n";
}

void StandingService::serve() {
    while (!m_ends) {
        pollfd entry{m_listener.get(), POLLIN, 0};
        if (::poll(&entry, 1, kAcceptMs) <= 0) continue;
        const UniqueFd client(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        std::string line;
        std::array<char, 4096> bytes{};
        while (client && (line.empty() || line.back() != '\n')) {
            const ssize_t got = ::recv(client.get(), bytes.data(), bytes.size(), 0);
            if (got <= 0) break;
            line.append(bytes.data(), static_cast<std::size_t>(got));
        }
        if (line.empty() || line.back() != '\n') continue;
        line.pop_back();
        const std::string answer = answerTo(line);
        if (::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) continue;
    }
}

} // namespace trainyard::testing
