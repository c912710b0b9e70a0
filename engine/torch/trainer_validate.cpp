// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer.h"

#include "engine/torch/averaging/replicas.h"

#include <algorithm>
#include <optional>

namespace trainyard::train {

// Collective. Each rank takes its share of the validation samples once; sums and counts are added up, so the result is
// that of one process over all of them.
void Trainer::validate() {
    if (m_data.validation.size() == 0 || m_validatedStep == m_step) return;
    m_report.enter(wire::Phase::Validate, "");
    m_progress.setDoing("validate");
    optim::NamedTensors buffers;
    for (const auto& buffer : m_model->named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(m_group, buffers);

    const torch::NoGradGuard noGrad;
    m_model->eval();
    const auto share = data::shareOf(m_data.validation.size(), m_group.rank(), m_group.worldSize());
    const std::int64_t size = std::max<std::int64_t>(m_perRank, 256);
    auto sums = torch::zeros({3}, torch::TensorOptions(torch::kFloat64).device(m_input.device.device));
    for (std::int64_t begin = share.begin; begin < share.end; begin += size) {
        const auto end = std::min(begin + size, share.end);
        const auto indices = torch::arange(begin, end, torch::TensorOptions(torch::kInt64).device(m_input.device.device));
        const auto batch = data::gather(m_data, m_data.validation, indices);
        torch::Tensor logits;
        {
            std::optional<compat::Autocast> autocast;
            if (m_spec.precision == "bf16") autocast.emplace(m_input.device.device.type(), torch::kBFloat16);
            logits = m_model->forward(batch.inputs);
        }
        logits = logits.to(torch::kFloat32);
        sums[0] += m_loss.validationSum(logits, batch.targets).to(torch::kFloat64);
        sums[1] += optim::correctCount(logits, batch.targets).to(torch::kFloat64);
        sums[2] += static_cast<double>(end - begin);
    }
    m_model->train();
    m_progress.setDoing("reduce the validation");
    m_group.sum(sums);
    sums = sums.cpu();
    m_validatedStep = m_step;
    if (m_group.rank() == 0) {
        const double count = sums[2].item<double>();
        publish("val/loss", m_step, epochNow(), sums[0].item<double>() / count);
        publish("val/accuracy", m_step, epochNow(), sums[1].item<double>() / count);
    }
    m_report.enter(wire::Phase::Train, "");
}

} // namespace trainyard::train
