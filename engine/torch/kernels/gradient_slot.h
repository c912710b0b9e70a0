// SPDX-License-Identifier: GPL-3.0-or-later
// Where a gradient is wanted. A layer that computes a weight's gradient itself can write it straight into the bucket
// that it is averaged in, which saves one pass over memory; autograd then hands no gradient over.
#pragma once

#include <torch/torch.h>

namespace trainyard::kernels {

// One parameter's place in an averager's buffer. Belongs to the averager, which sets `written` to false at the start of
// an optimizer step and offers the slot; both sides set it to true once the view holds (part of) the step's gradient.
struct GradientSlot {
    torch::Tensor view;   // as the parameter: shape, strides, type, device
    bool written = false; // false: what the view holds is left over, and is replaced; true: added to
};

// Makes the slot known for the parameter until it is withdrawn; the averager withdraws before the slot dies. After
// backward the parameter's AccumulateGrad node runs its hooks as ever, with an undefined gradient when the slot was
// written. Any thread.
void offerSlot(const torch::Tensor& parameter, GradientSlot* slot);
void withdrawSlot(const torch::Tensor& parameter);
// Null when none is on offer. The key is the parameter's TensorImpl, which outlives a change of its storage.
GradientSlot* slotFor(const c10::TensorImpl* parameter);

} // namespace trainyard::kernels
