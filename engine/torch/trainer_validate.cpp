// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer.h"

#include "engine/torch/averaging/replicas.h"

#include <algorithm>

namespace trainyard::train {

// Collective. Each rank takes its share of the validation samples once; sums and counts are added up, so the result is
// that of one process over all of them, and every rank has it.
void Trainer::validate() {
    if (m_data.validation.size() == 0 || m_validatedStep == m_step) return;
    m_report.enter(wire::Phase::Validate, "");
    m_progress.setDoing("validate");
    optim::NamedTensors buffers;
    for (const auto& buffer : m_model->named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(m_group, buffers);

    auto sums = validationSums(m_average ? m_average->model() : *m_model);
    m_progress.setDoing("reduce the validation");
    m_group.sum(sums);
    m_validatedStep = m_step;
    takeEvaluation(m_task->evaluate(sums.cpu()));
    m_report.enter(wire::Phase::Train, "");
}

// Of this rank's share.
torch::Tensor Trainer::validationSums(models::Model& model) {
    const torch::NoGradGuard noGrad;
    const bool training = model.is_training();
    model.eval();
    const auto share = data::shareOf(m_data.validation.size(), m_group.rank(), m_group.worldSize());
    const std::int64_t size = std::max<std::int64_t>(m_perRank, 256);
    const auto onDevice = torch::TensorOptions(torch::kInt64).device(m_input.device.device);
    auto sums = m_task->noSums(m_input.device.device);
    for (std::int64_t begin = share.begin; begin < share.end; begin += size) {
        const auto indices = torch::arange(begin, std::min(begin + size, share.end), onDevice);
        const auto batch = data::gather(m_data, m_data.validation, indices);
        torch::Tensor outputs;
        {
            const auto autocast = m_precision.scope();
            outputs = model.forward(batch.inputs);
        }
        m_task->add(sums, outputs.to(torch::kFloat32), batch.targets);
    }
    model.train(training);
    return sums;
}

void Trainer::takeEvaluation(const Evaluation& evaluation) {
    const auto verdict = m_course.observe(evaluation.series, m_step);
    m_endEarly = m_endEarly || verdict.stop;
    if (m_group.rank() != 0) return;
    for (const auto& [series, value] : evaluation.series) publish(series, m_step, epochNow(), value);
    m_report.notify(wire::Evaluation{m_step, epochNow(), evaluation.json});
    for (const auto& notice : verdict.notices) say(notice);
}

} // namespace trainyard::train
