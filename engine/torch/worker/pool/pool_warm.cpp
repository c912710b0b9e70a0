// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/torch/data/dataset_cache.h"
#include "engine/torch/kernels/onednn.h"
#include "engine/torch/models/model_cache.h"
#include "engine/torch/trainer/learner/precision.h"
#include "engine/torch/trainer/task/task.h"
#include "engine/torch/trainer/tuning.h"
#include "engine/torch/worker/pool/pool.h"

#include <ATen/Parallel.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace trainyard::train {
namespace {

constexpr std::int64_t kMostParameters = 8 << 20; // of a model that spares make: each has its own
constexpr double kStepSeconds = 0.05;             // of a step in a spare: of longer ones, fewer samples

// Backward on the CPU uses the calling thread; with an accelerator LibTorch starts one thread for each device at the
// first backward, and asking for the devices ties the process to the driver.
bool onlyCpu() { return !c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA); }

// Nothing here computes by Vulkan, and a LibTorch that was built with it (Debian's from 2.6 on) would start a thread
// for its one device. A process with threads cannot fork ranks.
void forgetVulkan() {
    c10::impl::device_guard_impl_registry[static_cast<std::size_t>(c10::DeviceType::Vulkan)].store(nullptr);
}

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

// oneDNN writes its programs for a processor at the first call, which takes tens of milliseconds in every process that
// does not inherit them.
void multiplyOnce() {
    using namespace kernels;
    if (!onednn::available()) return;
    const std::vector<float> a(16), b(16);
    std::vector<float> c(16);
    onednn::gemm({.m = 4, .n = 4, .k = 4}, a.data(), b.data(), c.data());
    for (const bool transposeA : {false, true})
        for (const bool transposeB : {false, true})
            onednn::matmul({transposeA, transposeB, 4, 4, 4}, a.data(), b.data(), nullptr, c.data());
    (void)onednn::hasBf16();
}

// Steps of a run as the trainer takes them, as far as gradients.
class WarmSteps {
public:
    WarmSteps(const spec::RunSpec& run, const data::Dataset& dataset, models::Model& model)
        : m_run(run), m_dataset(dataset), m_model(model) {}

    void run(const std::function<bool()>& hurry) {
        auto task = Task::make(m_run, m_dataset);
        if (!task) return;
        m_task = std::move(*task);
        m_model.train();
        const std::int64_t batch = std::min(m_run.perRankBatch(), m_dataset.train.size());
        const auto loss = [this](std::int64_t samples, const std::string& precision) {
            return lossOf(samples, precision);
        };
        const auto tuned = knownTuning(
            {.spec = m_run, .model = m_model, .device = torch::kCPU, .threads = 1, .samples = batch, .loss = loss});
        if (tuned) applyTuning(*tuned, m_model);
        const std::string precision = tuned ? tuned->precision : m_run.precision == "auto" ? "fp32" : m_run.precision;
        const std::int64_t few = std::min<std::int64_t>(2, batch);
        step(few, precision);
        const double seconds = std::max(1e-6, step(few, precision) / static_cast<double>(few));
        const auto samples = std::clamp(static_cast<std::int64_t>(kStepSeconds / seconds), few, batch);
        for (int i = 0; i < 2 && !hurry(); ++i) step(samples, precision);
        kernels::useKernels(kernels::KernelMode::Stock);
    }

private:
    torch::Tensor lossOf(std::int64_t samples, const std::string& precision) {
        const auto batch = data::gather(m_dataset, m_dataset.train, torch::arange(samples, torch::kInt64));
        const auto way = Precision::make(precision, torch::kCPU);
        if (!way) throw std::runtime_error(way.error().text());
        const auto autocast = way->scope();
        const auto outputs = m_model.forward(batch.inputs);
        const auto loss = m_task->loss(outputs, batch.targets);
        (void)m_task->trainSums(loss, outputs, batch.targets);
        return loss;
    }

    double step(std::int64_t samples, const std::string& precision) {
        const double from = monotonicSeconds();
        lossOf(samples, precision).backward();
        for (torch::Tensor& parameter : m_model.parameters()) parameter.mutable_grad().reset();
        return monotonicSeconds() - from;
    }

    const spec::RunSpec& m_run;
    const data::Dataset& m_dataset;
    models::Model& m_model;
    std::unique_ptr<Task> m_task;
};

} // namespace

void warmUpFor(const spec::RunSpec& run, const std::function<bool()>& hurry) {
    const auto task = taskFromString(run.task);
    const auto* dataset = task ? data::cachedDataset(run.dataset, run.seed, *task, run.data) : nullptr;
    const bool fromFile = run.model.name == "torchscript" || run.model.name == "plugin"; // user code
    if (!dataset || hurry() || fromFile || run.deterministic || !onlyCpu()) return;
    const models::ModelContext context{dataset->sampleShape, dataset->classes, dataset->task};
    {
        const auto model = models::makeModel(run.model, context);
        if (!model || models::parameterCount(**model) > kMostParameters) return;
        WarmSteps(run, *dataset, **model).run(hurry);
    }
    if (!hurry()) models::cacheModel(run.model, context, run.seed);
}

void warmUp() {
    forgetVulkan();
    at::set_num_threads(1);
    multiplyOnce();
    models::ModelContext images;
    images.sampleShape = {1, 28, 28};
    images.outputs = 10;
    step({"mlp", {}}, images);
    step({"convnet", {}}, images);
}

} // namespace trainyard::train
