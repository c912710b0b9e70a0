// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/plain_averager.h"

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
    void prepareBackward(const std::vector<torch::Tensor>&) override {}

protected:
    void finish() override {
        for (auto& parameter : m_parameters)
            if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    }

private:
    std::vector<torch::Tensor> m_parameters;
    bool m_fresh = true;
};

} // namespace

std::vector<torch::Tensor> tensorsOf(const optim::NamedTensors& parameters) {
    std::vector<torch::Tensor> tensors;
    for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
    return tensors;
}

std::vector<std::vector<std::size_t>> planBuckets(const std::vector<torch::Tensor>& parameters,
                                                  std::int64_t bucketBytes) {
    std::vector<std::vector<std::size_t>> buckets;
    std::int64_t bytes = 0;
    for (std::size_t i = parameters.size(); i-- > 0;) {
        const auto& tensor = parameters[i];
        const auto size = tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
        const bool fits = !buckets.empty() && bytes + size <= bucketBytes &&
                          parameters[buckets.back().back()].scalar_type() == tensor.scalar_type() &&
                          parameters[buckets.back().back()].device() == tensor.device();
        if (!fits) {
            buckets.emplace_back();
            bytes = 0;
        }
        buckets.back().push_back(i);
        bytes += size;
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
    const auto buckets = planBuckets(tensorsOf(optimizer.parameters()), options.bucketBytes).size();
    const std::string ranks = std::to_string(group.worldSize()) + " ranks, " + std::to_string(buckets) +
                              (buckets == 1 ? " bucket" : " buckets");
    if (options.kind == "reducer")
        return MadeAverager{makeReducerAverager(group, optimizer, options, progress),
                            ranks + ", averaged by c10d's reducer"};
    return MadeAverager{makeBucketAverager(group, optimizer, options, progress),
                        ranks + ", averaged during backward" + (options.kind == "auto" ? " (chosen by auto)" : "")};
}

} // namespace trainyard::train
