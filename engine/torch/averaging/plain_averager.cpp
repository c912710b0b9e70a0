// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/plain_averager.h"

#include "engine/base/clock.h"
#include "engine/torch/averaging/gradient_norm.h"

#include <cmath>

namespace trainyard::train {
namespace {

std::vector<torch::Tensor> gradientsOf(const optim::NamedTensors& parameters) {
    std::vector<torch::Tensor> gradients;
    for (const auto& [name, parameter] : parameters) gradients.push_back(parameter.grad());
    return gradients;
}

} // namespace

StepReport PlainAverager::finishStep(const StepOptions& options) {
    const double begin = monotonicSeconds();
    finish();
    const double averaged = monotonicSeconds();
    m_progress.setStep(StepPart::Compute, Engine::tr("update the weights"));
    const torch::NoGradGuard noGrad;
    StepReport report = update(options);
    report.waitSeconds = averaged - begin;
    report.updateSeconds = monotonicSeconds() - averaged;
    ++m_step;
    return report;
}

StepReport PlainAverager::update(const StepOptions& options) {
    StepReport report;
    const auto& parameters = m_optimizer.parameters();
    if (options.gradientScale != 1) at::_foreach_mul_(gradientsOf(parameters), options.gradientScale);
    const bool needed = options.skipNonFinite || options.clipNorm > 0;
    if (options.wantNorm && !needed) report.gradNormLater = gradientNormOnDevice(parameters);
    if (needed || (options.wantNorm && !report.gradNormLater.defined())) {
        report.gradNorm = gradientNorm(parameters);
        report.skipped = options.skipNonFinite && !std::isfinite(*report.gradNorm);
        if (report.skipped) return report;
        if (const float factor = clipFactor(*report.gradNorm, options.clipNorm); factor != 1)
            at::_foreach_mul_(gradientsOf(parameters), factor);
    }
    if (options.clipValue > 0)
        for (const auto& [name, parameter] : parameters)
            parameter.mutable_grad().clamp_(-options.clipValue, options.clipValue);
    m_optimizer.setLr(options.lr);
    m_optimizer.step();
    return report;
}

} // namespace trainyard::train
