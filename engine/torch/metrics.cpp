// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/metrics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

constexpr double kSecondsPerReduction = 0.05;
constexpr double kMostSteps = 256;

torch::Tensor tripleOf(const torch::Tensor& meanLoss, const torch::Tensor& correct, std::int64_t samples) {
    const auto n = static_cast<double>(samples);
    if (meanLoss.device().is_cpu())
        return torch::tensor({meanLoss.item<double>() * n, n, correct.item<double>()}, torch::kFloat64);
    const auto loss = meanLoss.detach().to(torch::kFloat64) * n;
    return torch::stack({loss, torch::full_like(loss, n), correct.to(torch::kFloat64)});
}

} // namespace

void StepWindow::addBatch(const torch::Tensor& meanLoss, const torch::Tensor& correct, std::int64_t samples) {
    const auto triple = tripleOf(meanLoss, correct, samples);
    m_current = m_current.defined() ? m_current + triple : triple;
}

void StepWindow::endStep(const StepTimes& times) {
    m_sums.push_back(m_current);
    m_current.reset();
    m_times.data += times.data;
    m_times.compute += times.compute;
    m_times.comm += times.comm;
    ++m_steps;
}

StepWindow::Reduced StepWindow::reduce(const ProcessGroup& group, std::optional<wire::StopMode> stop) {
    const double save = stop == wire::StopMode::SaveAndStop ? 1 : 0;
    const double now = stop && *stop != wire::StopMode::SaveAndStop ? 1 : 0;
    m_sums.push_back(torch::tensor({save, now, m_times.total()}, torch::kFloat64).to(m_sums.front().device()));
    auto all = torch::stack(m_sums);
    group.sum(all);
    all = all.cpu();
    const auto rows = all.accessor<double, 2>();

    Reduced reduced;
    const auto last = static_cast<std::int64_t>(m_steps);
    for (std::int64_t i = 0; i < last; ++i)
        reduced.steps.push_back({rows[i][0] / rows[i][1], rows[i][2] / rows[i][1]});
    reduced.saveAndStop = rows[last][0] > 0;
    reduced.stopNow = rows[last][1] > 0;
    reduced.secondsPerStep = rows[last][2] / group.worldSize() / static_cast<double>(m_steps);
    m_target = static_cast<std::size_t>(
        std::clamp(kSecondsPerReduction / std::max(1e-9, reduced.secondsPerStep), 1.0, kMostSteps));
    m_sums.clear();
    m_times = {};
    m_steps = 0;
    return reduced;
}

} // namespace trainyard::train
