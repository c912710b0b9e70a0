// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/gradient_slot.h"

#include "engine/base/machine/mutex.h"

#include <unordered_map>

namespace trainyard::kernels {
namespace {

struct Slots {
    Mutex mutex;
    std::unordered_map<const c10::TensorImpl*, GradientSlot*> known TY_GUARDED_BY(mutex);
};

Slots& slots() {
    static Slots* const all = new Slots; // never destroyed: averagers may outlive static objects
    return *all;
}

} // namespace

void offerSlot(const torch::Tensor& parameter, GradientSlot* slot) {
    const MutexLock lock(slots().mutex);
    slots().known[parameter.unsafeGetTensorImpl()] = slot;
}

void withdrawSlot(const torch::Tensor& parameter) {
    const MutexLock lock(slots().mutex);
    slots().known.erase(parameter.unsafeGetTensorImpl());
}

GradientSlot* slotFor(const c10::TensorImpl* parameter) {
    const MutexLock lock(slots().mutex);
    const auto found = slots().known.find(parameter);
    return found == slots().known.end() ? nullptr : found->second;
}

} // namespace trainyard::kernels
