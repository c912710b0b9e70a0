// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/eligible.h"
#include "engine/torch/kernels/pooling_loops.h"
#include "engine/torch/kernels/products.h"

#include <ATen/Parallel.h>

#include <limits>

namespace trainyard::kernels {
namespace {

PoolingShape planesOf(const torch::Tensor& x, std::int64_t side, std::int64_t stride, std::int64_t padding) {
    return {x.size(0) * x.size(1), x.size(2), x.size(3), side, stride, padding};
}

class MaxPool : public torch::autograd::Function<MaxPool> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x, std::int64_t side,
                                 std::int64_t stride, std::int64_t padding) {
        const PoolingShape all = planesOf(x, side, stride, padding);
        torch::Tensor y = torch::empty({x.size(0), x.size(1), all.outHeight(), all.outWidth()}, x.options());
        torch::Tensor places = torch::empty(y.sizes(), torch::kInt);
        const float* from = x.data_ptr<float>();
        float* to = y.data_ptr<float>();
        auto* at = places.data_ptr<std::int32_t>();
        const std::int64_t in = all.height * all.width, out = all.outHeight() * all.outWidth();
        at::parallel_for(0, all.planes, 16, [&](std::int64_t begin, std::int64_t end) {
            PoolingShape part = all;
            part.planes = end - begin;
            maxPool(part, from + begin * in, to + begin * out, at + begin * out);
        });
        context->save_for_backward({places});
        context->saved_data["x"] = x.sizes().vec();
        context->saved_data["window"] = std::vector<std::int64_t>{side, stride, padding};
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& outputs) {
        if (!outputs[0].defined()) return {{}, {}, {}, {}};
        const torch::Tensor dy = outputs[0].contiguous(), places = context->get_saved_variables()[0];
        torch::Tensor dx = torch::empty(context->saved_data["x"].toIntVector(), dy.options());
        const auto window = context->saved_data["window"].toIntVector();
        const PoolingShape all = planesOf(dx, window[0], window[1], window[2]);
        const float* from = dy.data_ptr<float>();
        const auto* at = places.data_ptr<std::int32_t>();
        float* to = dx.data_ptr<float>();
        const std::int64_t in = all.height * all.width, out = all.outHeight() * all.outWidth();
        at::parallel_for(0, all.planes, 16, [&](std::int64_t begin, std::int64_t end) {
            PoolingShape part = all;
            part.planes = end - begin;
            maxPoolGradient(part, from + begin * out, at + begin * out, to + begin * in);
        });
        return {dx, {}, {}, {}};
    }
};

} // namespace

torch::Tensor maxPool2d(const torch::Tensor& x, std::int64_t side, std::int64_t stride, std::int64_t padding) {
    const bool own = kernelMode() != KernelMode::Stock && x.dim() == 4 && plain(x) && x.is_contiguous() &&
                     x.numel() > 0 && x.size(2) * x.size(3) <= std::numeric_limits<std::int32_t>::max() &&
                     x.size(2) + 2 * padding >= side && x.size(3) + 2 * padding >= side && !operationsAreWatched();
    return own ? MaxPool::apply(x, side, stride, padding) : torch::max_pool2d(x, side, stride, padding);
}

} // namespace trainyard::kernels
