// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/convolution.h"

#include "engine/torch/base/compat.h"
#include "engine/torch/kernels/direct_convolution.h"
#include "engine/torch/kernels/eligible.h"
#include "engine/torch/kernels/gradient_slot.h"
#include "engine/torch/kernels/products.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace trainyard::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
namespace compat = train::compat;

ConvolutionShape shapeOf(const torch::Tensor& x, const torch::Tensor& weight, at::IntArrayRef padding) {
    return {.samples = x.size(0),
            .channels = x.size(1),
            .height = x.size(2),
            .width = x.size(3),
            .filters = weight.size(0),
            .kernelHeight = weight.size(2),
            .kernelWidth = weight.size(3),
            .paddingHeight = padding[0],
            .paddingWidth = padding[1]};
}

// As the matrix product that it amounts to.
ProductShape productOf(Product product, const ConvolutionShape& s) {
    return {product, s.samples * s.outHeight() * s.outWidth(), s.channels * s.kernelHeight * s.kernelWidth, s.filters};
}

at::IntArrayRef paddingOf(const decltype(Conv2dImpl::options)& options) {
    const auto* padding = compat::variants::get_if<torch::ExpandingArray<2>>(&options.padding());
    return padding ? at::IntArrayRef(**padding) : at::IntArrayRef();
}

bool isOnes(const torch::ExpandingArray<2>& numbers) { return (*numbers)[0] == 1 && (*numbers)[1] == 1; }

bool eligible(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
              const decltype(Conv2dImpl::options)& options) {
    if (kernelMode() != KernelMode::Chosen && kernelMode() != KernelMode::Timing) return false;
    if (operationsAreWatched()) return false;
    if (x.requires_grad() || x.dim() != 4 || !plain(x) || !x.is_contiguous() || x.numel() == 0) return false;
    if (!plain(weight) || !weight.is_contiguous() || (bias.defined() && (!plain(bias) || !bias.is_contiguous())))
        return false;
    if (compat::autocastState(at::kCPU).enabled) return false;
    if (!isOnes(options.stride()) || !isOnes(options.dilation()) || options.groups() != 1) return false;
    const bool zeros = compat::variants::holds_alternative<torch::enumtype::kZeros>(options.padding_mode());
    if (!zeros || paddingOf(options).size() != 2) return false;
    const ConvolutionShape shape = shapeOf(x, weight, paddingOf(options));
    return hasDirectConvolution(shape.kernelWidth) && shape.outHeight() > 0 && shape.outWidth() > 0 &&
           mayBeDirect(productOf(Product::Convolution, shape), productOf(Product::ConvolutionGradient, shape));
}

// The gradient goes where it is wanted: into the averager's bucket when that offers a slot, which then is null here.
torch::Tensor handOver(const torch::Tensor& parameter, torch::Tensor gradient) {
    GradientSlot* slot = slotFor(parameter.unsafeGetTensorImpl());
    if (!slot) return gradient;
    if (slot->written) slot->view.add_(gradient);
    else slot->view.copy_(gradient);
    slot->written = true;
    return {};
}

// In blocks of samples that are the same, and are added in the same order, for any number of threads.
void gradientOfAllSamples(const ConvolutionShape& s, const float* x, const float* dy, float* dw, float* db) {
    constexpr std::int64_t kMostBlocks = 8;
    const std::int64_t blocks = std::min(kMostBlocks, s.samples);
    const std::int64_t weights = s.filters * s.channels * s.kernelHeight * s.kernelWidth, sums = weights + s.filters;
    std::vector<float> parts(static_cast<std::size_t>(blocks * sums));
    at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            float* const part = parts.data() + b * sums;
            convolutionGradient(s, {b * s.samples / blocks, (b + 1) * s.samples / blocks}, x, dy, part,
                                db ? part + weights : nullptr);
        }
    });
    const auto add = [&](float* to, std::int64_t first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = 0;
            for (std::int64_t b = 0; b < blocks; ++b) to[i] += parts[static_cast<std::size_t>(b * sums + first + i)];
        }
    };
    add(dw, 0, weights);
    if (db) add(db, weights, s.filters);
}

class DirectConvolution : public torch::autograd::Function<DirectConvolution> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, const torch::Tensor& weight,
                                 const compat::OptionalTensor& bias, std::vector<std::int64_t> padding) {
        const torch::Tensor b = bias.value_or(torch::Tensor());
        const ConvolutionShape shape = shapeOf(x, weight, padding);
        torch::Tensor y;
        runConvolution(productOf(Product::Convolution, shape), [&](Kernel kernel) {
            if (kernel == Kernel::Stock) {
                y = at::conv2d(x, weight, bias, {1, 1}, padding);
                return;
            }
            y = torch::empty({shape.samples, shape.filters, shape.outHeight(), shape.outWidth()}, x.options());
            const float* const bs = b.defined() ? b.data_ptr<float>() : nullptr;
            at::parallel_for(0, shape.samples, 1, [&](std::int64_t begin, std::int64_t end) {
                convolve(shape, {begin, end}, x.data_ptr<float>(), weight.data_ptr<float>(), bs, y.data_ptr<float>());
            });
        });
        context->save_for_backward({x, weight, b});
        context->saved_data["padding"] = padding;
        return y;
    }

    static variable_list backward(AutogradContext* context, const variable_list& outputs) {
        if (!outputs[0].defined()) return {{}, {}, {}, {}};
        const variable_list saved = context->get_saved_variables();
        const torch::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2];
        const std::vector<std::int64_t> padding = context->saved_data["padding"].toIntVector();
        const ConvolutionShape shape = shapeOf(x, weight, padding);
        torch::Tensor dw, db;
        runConvolution(productOf(Product::ConvolutionGradient, shape), [&](Kernel kernel) {
            if (kernel == Kernel::Stock) {
                const std::vector<std::int64_t> filters{shape.filters};
                std::tie(std::ignore, dw, db) =
                    at::convolution_backward(outputs[0], x, weight, at::IntArrayRef(filters), {1, 1}, padding, {1, 1},
                                             false, {0, 0}, 1, {false, true, bias.defined()});
                return;
            }
            const torch::Tensor dy = outputs[0].contiguous();
            dw = torch::empty(weight.sizes(), torch::kFloat);
            if (bias.defined()) db = torch::empty(bias.sizes(), torch::kFloat);
            gradientOfAllSamples(shape, x.data_ptr<float>(), dy.data_ptr<float>(), dw.data_ptr<float>(),
                                 db.defined() ? db.data_ptr<float>() : nullptr);
        });
        return {{},
                weight.requires_grad() ? handOver(weight, dw) : torch::Tensor(),
                bias.defined() && bias.requires_grad() ? handOver(bias, db) : torch::Tensor(),
                {}};
    }
};

} // namespace

torch::Tensor Conv2dImpl::forward(const torch::Tensor& x) {
    if (!eligible(x, weight, bias, options)) return torch::nn::Conv2dImpl::forward(x);
    return DirectConvolution::apply(x, weight, bias.defined() ? compat::OptionalTensor(bias) : compat::OptionalTensor(),
                                    paddingOf(options).vec());
}

} // namespace trainyard::kernels
