// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/context.h"

#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/averaging/replicas.h"

#include <algorithm>
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

// Every rank must call this, even one without metrics, so that it gets the error and no rank waits for it.
void requireSameNames(const ProcessGroup& group, const Metrics& metrics) {
    std::string mine;
    for (const auto& [name, value] : metrics) mine += name + '\n';
    const auto all = group.gatherText(mine);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank] == all.front()) continue;
        std::string text = "rank " + std::to_string(rank) + " has other metrics than rank 0: ";
        for (const auto* names : {&all.front(), &all[rank]}) {
            std::string list = *names;
            std::replace(list.begin(), list.end(), '\n', ' ');
            text += (names == &all.front() ? "" : "against ") + (list.empty() ? "none " : list);
        }
        throw InputError("meanOverRanks(): " + text + "(give the same names on every rank)");
    }
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

Metrics meanOverRanks(const Metrics& metrics) {
    const auto* session = RankSession::current();
    if (!session || session->group().worldSize() == 1) return metrics;
    const auto& group = session->group();
    requireSameNames(group, metrics);
    if (metrics.empty()) return metrics;
    auto sums = torch::empty({static_cast<std::int64_t>(metrics.size())}, torch::kFloat64);
    double* at = sums.data_ptr<double>();
    for (const auto& [name, value] : metrics) *at++ = value;
    group.sum(sums);
    Metrics means;
    at = sums.data_ptr<double>();
    for (const auto& [name, value] : metrics) means[name] = *at++ / group.worldSize();
    return means;
}

double sumOverRanks(double value) {
    const auto* session = RankSession::current();
    if (!session) return value;
    auto sum = torch::full({1}, value, torch::kFloat64);
    session->group().sum(sum);
    return sum.item<double>();
}

} // namespace trainyard::train
