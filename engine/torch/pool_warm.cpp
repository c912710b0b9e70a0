// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/model.h"
#include "engine/torch/pool.h"

#include <ATen/Parallel.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cmath>

namespace trainyard::train {
namespace {

// Backward on the CPU uses the calling thread; with an accelerator LibTorch starts one thread for each device at the
// first backward, and asking for the devices ties the process to the driver.
bool onlyCpu() { return !c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA); }

void step(const spec::Choice& choice, const models::ModelContext& context) {
    const auto model = models::makeModel(choice, context);
    if (!model) return;
    std::vector<std::int64_t> shape{8};
    shape.insert(shape.end(), context.sampleShape.begin(), context.sampleShape.end());
    const auto raw = torch::randint(0, 255, shape, torch::kUInt8);
    const auto inputs = raw.index_select(0, torch::arange(8)).to(torch::kFloat32).div_(255).sub_(0.3).div_(0.3);
    const auto targets = torch::randint(0, context.outputs, {8}, torch::kInt64);
    const auto logits = (*model)->forward(inputs);
    const auto right = logits.detach().argmax(1).eq(targets).sum().item<std::int64_t>();
    const auto mean = at::cross_entropy_loss(logits, targets);
    if (!onlyCpu() || right < 0 || !std::isfinite(mean.item<double>())) return;
    mean.backward();
    const torch::NoGradGuard noGrad;
    for (auto& parameter : (*model)->parameters()) parameter.add_(parameter.grad().mul(0.9), -0.1);
}

} // namespace

void warmUp() {
    at::set_num_threads(1);
    models::ModelContext pictures;
    pictures.sampleShape = {1, 28, 28};
    pictures.outputs = 10;
    step({"mlp", {}}, pictures);
    step({"convnet", {}}, pictures);
}

} // namespace trainyard::train
