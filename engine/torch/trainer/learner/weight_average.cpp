// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/weight_average.h"

#include <map>

namespace trainyard::train {

WeightAverage::WeightAverage(std::shared_ptr<models::Model> copy, const models::Model& trained, double decay)
    : m_copy(std::move(copy)), m_trained(trained), m_decay(decay) {
    const torch::NoGradGuard noGrad;
    m_copy->eval();
    const auto weights = trained.named_parameters();
    for (const auto& item : m_copy->named_parameters()) {
        item.value().requires_grad_(false);
        m_average.emplace_back(item.key(), item.value());
        m_weights.push_back(weights[item.key()]);
        m_average.back().second.copy_(m_weights.back());
    }
}

void WeightAverage::update() {
    const torch::NoGradGuard noGrad;
    for (std::size_t i = 0; i < m_weights.size(); ++i)
        m_average[i].second.mul_(m_decay).add_(m_weights[i], 1 - m_decay);
}

models::Model& WeightAverage::model() {
    const torch::NoGradGuard noGrad;
    const auto buffers = m_trained.named_buffers();
    for (const auto& item : m_copy->named_buffers()) item.value().copy_(buffers[item.key()]);
    return *m_copy;
}

Result<void> WeightAverage::restore(const optim::NamedTensors& tensors, const std::string& where) {
    const torch::NoGradGuard noGrad;
    const std::map<std::string, torch::Tensor> given(tensors.begin(), tensors.end());
    for (const auto& [name, average] : m_average) {
        const auto found = given.find(name);
        if (found == given.end() || found->second.sizes() != average.sizes())
            return inputError("the averaged weights \"" + name + "\" are missing or have another shape", where,
                              "resume with the model and the ema that the run was trained with, or set ema to 0");
    }
    for (auto& [name, average] : m_average) average.copy_(given.at(name));
    return {};
}

} // namespace trainyard::train
