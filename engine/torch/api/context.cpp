// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/context.h"

#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/averaging/replicas.h"

#include <cstdlib>

namespace trainyard::train {
namespace {

int fromEnvironment(const char* name) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : 0;
}

void send(const Metrics& metrics, const std::filesystem::path& folder) {
    auto* session = RankSession::current();
    if (session && !valueOrRaise(session->report(metrics, folder))) throw StopRequested();
}

} // namespace

int Context::worldRank() const {
    const auto* session = RankSession::current();
    return session ? session->start().rank : 0;
}
int Context::worldSize() const {
    const auto* session = RankSession::current();
    return session ? session->start().worldSize : 1;
}
int Context::localRank() const {
    const auto* session = RankSession::current();
    return session ? session->start().localRank : 0;
}
int Context::localWorldSize() const {
    const auto* session = RankSession::current();
    return session ? session->start().localWorldSize : 1;
}
int Context::nodeRank() const { return RankSession::current() ? fromEnvironment("GROUP_RANK") : 0; }
int Context::restartCount() const {
    const auto* session = RankSession::current();
    return session ? session->start().generation : 0;
}
std::string Context::experimentName() const {
    const auto* session = RankSession::current();
    return session ? session->spec().name : std::string();
}
std::string Context::runId() const {
    const char* id = std::getenv("TRAINYARD_RUN");
    return RankSession::current() && id ? id : std::string();
}
torch::Device Context::device() const {
    const auto* session = RankSession::current();
    return session ? session->device().device : torch::Device(torch::kCPU);
}
bool Context::stopRequested() const {
    const auto* session = RankSession::current();
    return session && session->stopRequested();
}
Context context() { return {}; }

void report(const Metrics& metrics) { send(metrics, {}); }

void report(const Metrics& metrics, const Checkpoint& checkpoint) {
    if (!RankSession::current()) return;
    const auto folder = checkpoint.asDirectory(); // one that came from getCheckpoint() is unpacked first
    send(metrics, folder.path());
}

std::optional<Checkpoint> getCheckpoint() {
    const auto* session = RankSession::current();
    if (!session || session->start().resumeFrom.empty()) return std::nullopt;
    return Checkpoint::fromFile(session->start().resumeFrom);
}

void prepareModule(const std::shared_ptr<torch::nn::Module>& module, const PrepareOptions& options) {
    if (!module) throw InputError("prepareModel() was given no model");
    if (auto* session = RankSession::current())
        valueOrRaise(session->prepare(module, options.averaging, options.compareAtEnd));
}

NoSync::NoSync() {
    if (auto* session = RankSession::current()) session->setNoSync(true);
}
NoSync::~NoSync() {
    if (auto* session = RankSession::current()) session->setNoSync(false);
}

void syncBuffers(const torch::nn::Module& module) {
    const auto* session = RankSession::current();
    if (!session) return;
    optim::NamedTensors buffers;
    for (const auto& buffer : module.named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(session->group(), buffers);
}

double sumOverRanks(double value) {
    const auto* session = RankSession::current();
    if (!session) return value;
    auto sum = torch::full({1}, value, torch::kFloat64);
    session->group().sum(sum);
    return sum.item<double>();
}

} // namespace trainyard::train
