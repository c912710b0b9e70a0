// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/metrics/step_window.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

constexpr double kSecondsPerReduction = 0.016; // a frame of a window at 60 Hz
constexpr double kSecondsOnDevice = 0.05;
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
    steps += other.steps;
    return *this;
}

StepTimes& StepTimes::operator*=(double factor) {
    for (double* each : {&data, &compute, &comm, &forward, &backward, &optimizer, &samples, &steps}) *each *= factor;
    return *this;
}

void StepWindow::endStep(const torch::Tensor& sums, const StepTimes& times) {
    m_sums.push_back(sums);
    m_times += times;
}

void StepWindow::clear() {
    m_sums.clear();
    m_kept.clear();
    m_times = {};
}

std::size_t StepWindow::kept() const {
    std::int64_t steps = 0;
    for (const auto& window : m_kept) steps += window.size(0);
    return static_cast<std::size_t>(steps);
}

// The steps of the window are reduced, but until its report is out they can be asked for once more.
void StepWindow::keep(const torch::Tensor& steps, std::size_t windows) {
    m_kept.push_back(steps);
    while (m_kept.size() > windows || (kept() > kMostKept && m_kept.size() > 1)) m_kept.pop_front();
    m_sums.clear();
    m_times = {};
}

void StepWindow::waitForDevice() {
    if (m_sums.empty() || m_sums.back().is_cpu()) return;
    const double begin = monotonicSeconds();
    (void)m_sums.back().cpu(); // which comes after all work that was handed over before
    m_times.compute += monotonicSeconds() - begin;
}

StepWindow::Reduced StepWindow::reduce(const ProcessGroup& group, const ControlFlags& flags) {
    const double save = flags.stop == wire::StopMode::SaveAndStop ? 1 : 0;
    const double now = flags.stop && *flags.stop != wire::StopMode::SaveAndStop ? 1 : 0;
    const double asked = flags.commands ? 1 : 0, orphaned = flags.orphaned ? 1 : 0;
    std::vector<torch::Tensor> parts;
    for (const auto& each : m_sums) parts.push_back(each.to(m_sums.back().device())); // reopen() had them on the CPU
    const auto sums = torch::cat(parts);
    const auto said = torch::tensor(
        {save, now, asked, static_cast<double>(flags.unreported), m_times.total(), m_times.steps, orphaned},
        torch::kFloat64);
    auto all = m_ownSums ? torch::cat({sums, said.to(sums.device())}) : said;
    group.sum(all);
    if (!m_ownSums) all = torch::cat({sums.cpu(), all});
    all = all.cpu();

    Reduced reduced;
    const auto width = static_cast<std::size_t>(m_width);
    const double* number = all.data_ptr<double>();
    for (std::size_t step = 0; step < size(); ++step, number += width)
        reduced.steps.emplace_back(number, number + width);
    // A rank that alone is cut off leaves it to the supervisor to replace it.
    reduced.saveAndStop = number[0] > 0 || number[6] >= group.worldSize();
    reduced.stopNow = number[1] > 0;
    reduced.commands = number[2] > 0;
    if (number[5] > 0) { // none where only what others have done is reported once more
        reduced.secondsPerStep = number[4] / number[5];
        const double seconds = sums.is_cpu() ? kSecondsPerReduction : kSecondsOnDevice;
        m_target =
            static_cast<std::size_t>(std::clamp(seconds / std::max(1e-9, reduced.secondsPerStep), 1.0, kMostSteps));
    }
    const auto steps = static_cast<std::int64_t>(size());
    keep(all.narrow(0, 0, steps * m_width).view({steps, m_width}), static_cast<std::size_t>(number[3]) + 1);
    return reduced;
}

torch::Tensor StepWindow::held() const {
    std::vector<torch::Tensor> parts(m_kept.begin(), m_kept.end());
    for (const auto& sums : m_sums) parts.push_back(sums.cpu().view({1, m_width}));
    return parts.empty() ? torch::zeros({0, m_width}, torch::kFloat64) : torch::cat(parts);
}

void StepWindow::reopen(const torch::Tensor& held, std::int64_t open, std::size_t target) {
    const std::int64_t before = held.size(0) - open;
    m_kept.clear();
    if (before > 0) m_kept.push_back(held.narrow(0, 0, before));
    m_sums = held.narrow(0, before, open).unbind();
    m_target = target;
}

} // namespace trainyard::train
