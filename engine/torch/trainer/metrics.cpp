// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/metrics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

constexpr double kSecondsPerReduction = 0.05;
constexpr double kMostSteps = 256;
constexpr std::size_t kMostKept = 10'000; // steps, while the supervisor does not read

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
    m_keptSizes.clear();
    m_current.reset();
    m_times = {};
    m_steps = 0;
}

// The steps of the window are reduced, but until its report is out they can be asked for once more.
void StepWindow::keep(std::size_t windows) {
    m_kept.insert(m_kept.end(), m_sums.begin(), m_sums.end());
    m_keptSizes.push_back(m_sums.size());
    while (m_keptSizes.size() > windows || (m_kept.size() > kMostKept && m_keptSizes.size() > 1)) {
        m_kept.erase(m_kept.begin(), m_kept.begin() + static_cast<std::ptrdiff_t>(m_keptSizes.front()));
        m_keptSizes.pop_front();
    }
    m_sums.clear();
    m_times = {};
    m_steps = 0;
}

StepWindow::Reduced StepWindow::reduce(const ProcessGroup& group, const Word& word) {
    const double save = word.stop == wire::StopMode::SaveAndStop ? 1 : 0;
    const double now = word.stop && *word.stop != wire::StopMode::SaveAndStop ? 1 : 0;
    const double asked = word.commands ? 1 : 0;
    auto parts = m_sums;
    parts.push_back(
        torch::tensor({save, now, m_times.total(), asked, static_cast<double>(word.unreported)}, torch::kFloat64)
            .to(m_sums.front().device()));
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
    keep(static_cast<std::size_t>(flags[4]) + 1);
    return reduced;
}

void StepWindow::reopen(std::size_t steps, std::size_t target) {
    m_current.reset();
    for (; m_sums.size() < steps && !m_kept.empty(); m_kept.pop_back()) m_sums.insert(m_sums.begin(), m_kept.back());
    while (m_sums.size() < steps) m_sums.insert(m_sums.begin(), torch::zeros({m_width}, torch::kFloat64));
    while (m_sums.size() > steps) m_sums.erase(m_sums.begin());
    m_kept.clear();
    m_keptSizes.clear();
    m_steps = steps;
    m_target = target;
}

} // namespace trainyard::train
