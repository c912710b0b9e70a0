// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/metrics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

constexpr double kSecondsPerReduction = 0.05;
constexpr double kMostSteps = 256;

} // namespace

StepTimes& StepTimes::operator+=(const StepTimes& other) {
    data += other.data;
    compute += other.compute;
    comm += other.comm;
    forward += other.forward;
    backward += other.backward;
    optimizer += other.optimizer;
    samples += other.samples;
    return *this;
}

StepTimes& StepTimes::operator*=(double factor) {
    for (double* each : {&data, &compute, &comm, &forward, &backward, &optimizer, &samples}) *each *= factor;
    return *this;
}

void StepWindow::addBatch(const torch::Tensor& sums) { m_current = m_current.defined() ? m_current + sums : sums; }

void StepWindow::endStep(const StepTimes& times) {
    m_sums.push_back(m_current.defined() ? m_current : torch::zeros({m_width}, torch::kFloat64));
    m_current.reset();
    m_times += times;
    ++m_steps;
}

void StepWindow::clear() {
    m_sums.clear();
    m_kept.clear();
    m_current.reset();
    m_times = {};
    m_steps = 0;
}

StepWindow::Reduced StepWindow::reduce(const ProcessGroup& group, std::optional<wire::StopMode> stop, bool commands) {
    const double save = stop == wire::StopMode::SaveAndStop ? 1 : 0;
    const double now = stop && *stop != wire::StopMode::SaveAndStop ? 1 : 0;
    auto parts = m_sums;
    const double asked = commands ? 1 : 0;
    parts.push_back(torch::tensor({save, now, m_times.total(), asked}, torch::kFloat64).to(m_sums.front().device()));
    auto all = torch::cat(parts);
    group.sum(all);
    all = all.cpu();
    const double* number = all.data_ptr<double>();

    Reduced reduced;
    const auto width = static_cast<std::size_t>(m_width);
    for (std::size_t step = 0; step < m_steps; ++step)
        reduced.steps.emplace_back(number + step * width, number + (step + 1) * width);
    const double* flags = number + m_steps * width;
    reduced.saveAndStop = flags[0] > 0;
    reduced.stopNow = flags[1] > 0;
    reduced.commands = flags[3] > 0;
    reduced.secondsPerStep = flags[2] / group.worldSize() / static_cast<double>(m_steps);
    m_target = static_cast<std::size_t>(
        std::clamp(kSecondsPerReduction / std::max(1e-9, reduced.secondsPerStep), 1.0, kMostSteps));
    auto kept = m_sums;
    clear();
    m_kept = std::move(kept);
    return reduced;
}

void StepWindow::reopen(std::size_t steps, std::size_t target) {
    m_current.reset();
    for (; m_sums.size() < steps && !m_kept.empty(); m_kept.pop_back()) m_sums.insert(m_sums.begin(), m_kept.back());
    while (m_sums.size() < steps) m_sums.insert(m_sums.begin(), torch::zeros({m_width}, torch::kFloat64));
    while (m_sums.size() > steps) m_sums.erase(m_sums.begin());
    m_kept.clear();
    m_steps = steps;
    m_target = target;
}

} // namespace trainyard::train
