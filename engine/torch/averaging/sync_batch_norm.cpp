// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/sync_batch_norm.h"

#include <ATen/ops/batch_norm_native.h>
#include <torch/library.h>

#include <optional>
#include <vector>

namespace trainyard::train {
namespace {

using torch::Tensor;
using MaybeTensor = compat::OptionalTensor;

std::optional<ProcessGroup> s_group;

// All dimensions but that of the channels.
std::vector<std::int64_t> otherDims(const Tensor& x) {
    std::vector<std::int64_t> dims;
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != 1) dims.push_back(d);
    return dims;
}

Tensor perChannel(const Tensor& values, const Tensor& like) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(like.dim()), 1);
    shape[1] = values.numel();
    return values.to(like.scalar_type()).view(shape);
}

struct Moments {
    Tensor mean, squares; // of each channel over all ranks, in double; squares: of the distance from the mean, summed
    double count = 0;
};

// Each rank's mean and squares, put together without the loss of digits that a sum of plain squares has.
Moments momentsOfAll(const Tensor& x) {
    const auto dims = otherDims(x);
    const auto count = static_cast<double>(x.numel() / x.size(1));
    const Tensor mean = x.mean(dims);
    const Tensor squares = (x - perChannel(mean, x)).square().sum(dims);
    const auto all =
        s_group->gather(torch::cat({mean, squares, torch::full({1}, count, mean.options())}).to(torch::kDouble));
    const std::int64_t channels = x.size(1);
    Moments moments{torch::zeros_like(all[0].narrow(0, 0, channels)), Tensor(), 0};
    std::vector<double> counts;
    for (const auto& rank : all) counts.push_back(rank[2 * channels].item<double>());
    for (const double each : counts) moments.count += each;
    for (std::size_t r = 0; r < all.size(); ++r)
        moments.mean += all[r].narrow(0, 0, channels) * (counts[r] / moments.count);
    moments.squares = torch::zeros_like(moments.mean);
    for (std::size_t r = 0; r < all.size(); ++r)
        moments.squares +=
            all[r].narrow(0, channels, channels) + (all[r].narrow(0, 0, channels) - moments.mean).square() * counts[r];
    return moments;
}

class Normalise : public torch::autograd::Function<Normalise> {
public:
    static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& input, const Tensor& weight,
                          const Tensor& bias, Tensor runningMean, Tensor runningVar, double momentum, double eps) {
        const Tensor x = input.to(torch::kFloat);
        const Moments moments = momentsOfAll(x);
        if (runningMean.defined()) {
            runningMean.mul_(1 - momentum).add_(moments.mean.to(runningMean.scalar_type()), momentum);
            const Tensor unbiased = moments.squares / std::max(1.0, moments.count - 1);
            runningVar.mul_(1 - momentum).add_(unbiased.to(runningVar.scalar_type()), momentum);
        }
        const Tensor scale = (moments.squares / moments.count + eps).rsqrt().to(torch::kFloat);
        const Tensor mean = moments.mean.to(torch::kFloat);
        context->save_for_backward({input, weight, mean, scale});
        context->saved_data["count"] = moments.count;
        Tensor y = (x - perChannel(mean, x)) * perChannel(scale, x);
        if (weight.defined()) y = y * perChannel(weight, x);
        if (bias.defined()) y = y + perChannel(bias, x);
        return y.to(input.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list outputs) {
        const auto saved = context->get_saved_variables();
        const Tensor &input = saved[0], &weight = saved[1];
        const double count = context->saved_data["count"].toDouble();
        const Tensor x = input.to(torch::kFloat), dy = outputs[0].to(torch::kFloat);
        const auto dims = otherDims(x);
        const Tensor scale = perChannel(saved[3], x);
        const Tensor normal = (x - perChannel(saved[2], x)) * scale;
        const Tensor ofBias = dy.sum(dims), ofWeight = (dy * normal).sum(dims);
        Tensor sums = torch::cat({ofBias, ofWeight}).to(torch::kDouble);
        if (!s_group) throw std::runtime_error("batch normalisation over all ranks has ended before its backward");
        s_group->sum(sums);
        sums /= count;
        const std::int64_t channels = x.size(1);
        Tensor dx = dy - perChannel(sums.narrow(0, 0, channels), x) -
                    normal * perChannel(sums.narrow(0, channels, channels), x);
        dx = dx * scale;
        if (weight.defined()) dx = dx * perChannel(weight, x);
        const auto asWeight = [&weight](const Tensor& gradient) {
            return weight.defined() ? gradient.to(weight.scalar_type()) : Tensor();
        };
        return {
            dx.to(input.scalar_type()), asWeight(ofWeight), asWeight(ofBias), Tensor(), Tensor(), Tensor(), Tensor()};
    }
};

Tensor batchNorm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& mean,
                 const MaybeTensor& variance, bool training, double momentum, double eps, bool cudnn) {
    if (!s_group || !training)
        return at::native::batch_norm(input, weight, bias, mean, variance, training, momentum, eps, cudnn);
    const auto tensor = [](const MaybeTensor& maybe) { return maybe.has_value() ? *maybe : Tensor(); };
    return Normalise::apply(input, tensor(weight), tensor(bias), tensor(mean), tensor(variance), momentum, eps);
}

} // namespace

SyncBatchNorm::SyncBatchNorm(const ProcessGroup& group) {
    using torch::Library;
    static Library cpu(Library::IMPL, "aten", c10::DispatchKey::AutogradCPU, __FILE__, __LINE__);
    static Library cuda(Library::IMPL, "aten", c10::DispatchKey::AutogradCUDA, __FILE__, __LINE__);
    [[maybe_unused]] static const bool registered = [] {
        cpu.impl("batch_norm", batchNorm);
        cuda.impl("batch_norm", batchNorm);
        return true;
    }();
    s_group = group;
}

SyncBatchNorm::~SyncBatchNorm() { s_group.reset(); }

} // namespace trainyard::train
