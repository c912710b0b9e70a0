// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/linear.h"

#include "engine/torch/base/compat.h"
#include "engine/torch/kernels/eligible.h"
#include "engine/torch/kernels/gradient_slot.h"
#include "engine/torch/kernels/kept_linear.h"
#include "engine/torch/kernels/onednn.h"
#include "engine/torch/kernels/products.h"

#include <vector>

namespace trainyard::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using train::compat::OptionalTensor;

bool usable(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& b) {
    return kernelMode() != KernelMode::Stock && (plain(x) || plain(x, torch::kBFloat16)) && plain(w) &&
           w.is_contiguous() && x.dim() > 0 && x.size(-1) == w.size(1) && x.numel() > 0 &&
           (!b.defined() || (plain(b) && b.is_contiguous())) && !operationsAreWatched();
}

// Writes into the averager's bucket when it has a slot for the parameter, else into a tensor of its own.
template <class Compute>
torch::Tensor intoSlot(const c10::TensorImpl* parameter, at::IntArrayRef shape, const Compute& compute) {
    GradientSlot* slot = slotFor(parameter);
    const bool fits = slot && slot->view.sizes() == shape && plain(slot->view) && slot->view.is_contiguous();
    if (fits && !slot->written) {
        compute(slot->view);
        slot->written = true;
        return {};
    }
    torch::Tensor gradient = torch::empty(shape, torch::kFloat);
    compute(gradient);
    if (!fits) return gradient;
    slot->view.add_(gradient); // a further micro-batch, or a weight that two layers share
    return {};
}

class LinearFunction : public torch::autograd::Function<LinearFunction> {
public:
    // Without a bias `bias` is none: autograd takes no undefined tensors.
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, const torch::Tensor& w,
                                 const OptionalTensor& bias) {
        const torch::Tensor b = bias.value_or(torch::Tensor());
        torch::Tensor y = torch::empty({x.size(0), w.size(0)}, x.options());
        const torch::Tensor used = w.detach().to(x.scalar_type());
        kernels::forward(x, used, b, y);
        context->save_for_backward({x, x.scalar_type() == w.scalar_type() ? w : used});
        context->saved_data["x"] = x.requires_grad();
        context->saved_data["w"] = w.requires_grad() ? address(w) : 0;
        context->saved_data["b"] = b.defined() && b.requires_grad() ? address(b) : 0;
        return y;
    }

    static variable_list backward(AutogradContext* context, const variable_list& outputs) {
        if (!outputs[0].defined()) return {{}, {}, {}};
        const variable_list saved = context->get_saved_variables();
        const torch::Tensor dy = outputs[0].contiguous(), &x = saved[0], &w = saved[1];
        torch::Tensor dx, dw, db;
        if (context->saved_data["x"].toBool()) {
            dx = torch::empty(x.sizes(), x.options());
            inputGradient(dy, w, dx);
        }
        if (const auto* weight = parameter(context, "w"))
            dw = intoSlot(weight, w.sizes(), [&](torch::Tensor& out) { weightGradient(dy, x, out); });
        if (const auto* bias = parameter(context, "b"))
            db = intoSlot(bias, {dy.size(1)},
                          [&](torch::Tensor& out) { at::sum_out(out, dy, {0}, false, torch::kFloat); });
        return {dx, dw, db};
    }

private:
    static std::int64_t address(const torch::Tensor& tensor) {
        return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(tensor.unsafeGetTensorImpl()));
    }
    static const c10::TensorImpl* parameter(AutogradContext* context, const char* which) {
        return reinterpret_cast<const c10::TensorImpl*>(static_cast<std::intptr_t>(context->saved_data[which].toInt()));
    }
};

} // namespace

torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& b) {
    if (const torch::Tensor y = keptLinear(x, w, b); y.defined()) return y;
    const auto [autocast, type] = train::compat::autocastState(at::kCPU);
    const bool bf16 = autocast && type == torch::kBFloat16 && onednn::hasBf16();
    if (!usable(x, w, b) || autocast != bf16 || (!autocast && x.scalar_type() != torch::kFloat))
        return torch::linear(x, w, b);
    const OptionalTensor bias = b.defined() ? OptionalTensor(b) : OptionalTensor();
    const torch::Tensor input = bf16 ? x.to(torch::kBFloat16) : x;
    if (x.dim() == 2) return LinearFunction::apply(input.contiguous(), w, bias);
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = w.size(0);
    return LinearFunction::apply(input.reshape({-1, w.size(1)}), w, bias).view(shape);
}

torch::Tensor LinearImpl::forward(const torch::Tensor& x) {
    return m_lora.added(linear(x, weight, bias), x, is_training());
}

void LinearImpl::adapt(const LoraOptions& adapterOptions, at::Generator& generator) {
    m_lora.addTo(*this, weight.size(1), weight.size(0), adapterOptions, generator);
}

} // namespace trainyard::kernels
