// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/plain_averager.h"
#include "engine/torch/averaging/shared_averager.h"
#include "engine/torch/averaging/shared_gradients.h"

#include <algorithm>

namespace trainyard::train {
namespace {

// A world of one: gradients stay where autograd puts them.
class SingleAverager : public PlainAverager {
public:
    SingleAverager(optim::Optimizer& optimizer, const AveragerOptions& options, Progress& progress)
        : PlainAverager(optimizer, options.step, progress), m_parameters(tensorsOf(optimizer.parameters())) {}

    void prepareForward(bool sync) override {
        if (m_fresh) // an undefined gradient is taken over from autograd without a copy
            for (auto& parameter : m_parameters) parameter.mutable_grad().reset();
        m_fresh = sync;
    }
    void prepareBackward() override {}

protected:
    void finish() override {
        for (auto& parameter : m_parameters)
            if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    }

private:
    std::vector<torch::Tensor> m_parameters;
    bool m_fresh = true;
};

// " as powersgd of rank 2"; empty: not compressed.
std::string compressedHow(const CompressionOptions& compression) {
    if (compression.kind == "none") return {};
    const bool lowRank = compression.kind == "powersgd";
    return " as " + compression.kind + (lowRank ? " of rank " + std::to_string(compression.rank) : "");
}

// Tries it where it can pay: with several ranks on one host. Nothing: it cannot.
Result<MadeAverager> tryShared(const ProcessGroup& group, optim::Optimizer& optimizer, const AveragerOptions& options,
                               Progress& progress) {
    const auto hosts = HostsOfRanks::find(group);
    const bool pays =
        std::any_of(hosts.hosts.begin(), hosts.hosts.end(), [](const auto& ranks) { return ranks.size() > 1; });
    if (options.kind == "auto" && !pays) return environmentError("each rank is on a host of its own");
    const auto make = options.gradientsOnly ? makeSharedGradients : makeSharedAverager;
    TY_ASSIGN(auto averager, make(group, hosts, optimizer, options, progress));
    std::string text = std::to_string(group.worldSize()) + " ranks, averaged through shared memory";
    if (hosts.hosts.size() > 1)
        text += " and between " + std::to_string(hosts.hosts.size()) + " hosts" + compressedHow(options.compression);
    else if (options.compression.kind != "none") text += ", where there is nothing to compress";
    return MadeAverager{std::move(averager), text};
}

} // namespace

std::vector<torch::Tensor> tensorsOf(const optim::NamedTensors& parameters) {
    std::vector<torch::Tensor> tensors;
    for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
    return tensors;
}

std::vector<std::vector<std::size_t>> planBuckets(const std::vector<torch::Tensor>& parameters,
                                                  std::int64_t bucketBytes) {
    std::vector<std::vector<std::size_t>> buckets;
    std::int64_t bytes = 0, limit = std::min(kFirstBucketBytes, bucketBytes);
    bool open = false;
    for (std::size_t i = parameters.size(); i-- > 0;) {
        const auto& tensor = parameters[i];
        if (!open || parameters[buckets.back().back()].scalar_type() != tensor.scalar_type() ||
            parameters[buckets.back().back()].device() != tensor.device()) {
            buckets.emplace_back();
            bytes = 0;
        }
        buckets.back().push_back(i);
        bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
        open = bytes < limit;
        if (!open) limit = bucketBytes;
    }
    return buckets;
}

std::unique_ptr<GradientAverager> makeSingleAverager(optim::Optimizer& optimizer, const AveragerOptions& options,
                                                     Progress& progress) {
    return std::make_unique<SingleAverager>(optimizer, options, progress);
}

Result<MadeAverager> makeAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                  const AveragerOptions& options, Progress& progress) {
    if (group.worldSize() == 1)
        return MadeAverager{makeSingleAverager(optimizer, options, progress), "one rank: nothing to average"};
    progress.setRendezvous();
    const bool chooses = options.kind == "auto";
    std::string why;
    if (options.kind == "shared" && !canShareMemory(optimizer))
        return inputError("shared memory averages float32 weights on the CPU only", "scaling.averaging",
                          "choose \"auto\" or \"buckets\"");
    if (options.kind == "shared" || (chooses && canShareMemory(optimizer))) {
        auto made = tryShared(group, optimizer, options, progress);
        if (made && chooses) made->description += " (chosen by auto)";
        if (made || !chooses) return made;
        why = "; " + made.error().message;
    }
    const auto buckets = planBuckets(tensorsOf(optimizer.parameters()), options.bucketBytes).size();
    const std::string ranks = std::to_string(group.worldSize()) + " ranks, " + std::to_string(buckets) +
                              (buckets == 1 ? " bucket" : " buckets");
    if (options.kind == "reducer") {
        if (options.compression.kind != "none")
            return inputError("c10d's reducer does not compress gradients here", "scaling.compression",
                              "set it to \"none\", or scaling.averaging to \"buckets\"");
        return MadeAverager{makeReducerAverager(group, optimizer, options, progress),
                            ranks + ", averaged by c10d's reducer"};
    }
    TY_ASSIGN(auto averager, makeBucketAverager(group, optimizer, options, progress));
    const std::string how = compressedHow(options.compression);
    return MadeAverager{std::move(averager), ranks + ", averaged" + (how.empty() ? " during backward" : how) +
                                                 (chooses ? " (chosen by auto" + why + ")" : "")};
}

} // namespace trainyard::train
