// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of the update rules on plain memory. They round as LibTorch's own kernels do on a processor with fused
// multiply-add: where one of those has a single rounding for a product and a sum, there is an explicit fma here, and
// nowhere else (the library is compiled with -ffp-contract=off).
#pragma once

#include "engine/torch/optim/update_rule.h"

#include <cstddef>

namespace trainyard::optim {

struct SgdNumbers {
    float minusLr = 0, weightDecay = 0, momentum = 0, taken = 1; // taken: 1 - dampening
    bool first = true, nesterov = false;
};
void sgdLoop(const UpdateBlock& block, const SgdNumbers& numbers);

// Constants of one Adam step.
struct AdamNumbers {
    float weightDecay = 0;                            // through the gradient
    float shrink = 1;                                 // of the weights, before all else
    float beta1 = 0, rest1 = 0, beta2 = 0, rest2 = 0; // rest: 1 - beta
    float root2 = 1;                                  // square root of the second bias correction
    float eps = 0, minusStep = 0;
};
void adamLoop(const UpdateBlock& block, const AdamNumbers& numbers);

// Constants of one Lion step.
struct LionNumbers {
    float shrink = 1;                                 // of the weights, before all else
    float beta1 = 0, rest1 = 0, beta2 = 0, rest2 = 0; // rest: 1 - beta
    float minusLr = 0;
};
void lionLoop(const UpdateBlock& block, const LionNumbers& numbers);

// Constants of one RMSprop step.
struct RmspropNumbers {
    float weightDecay = 0, alpha = 0, rest = 0, eps = 0, momentum = 0, minusLr = 0;
    int momentumSlot = -1, averageSlot = -1; // -1: without
};
void rmspropLoop(const UpdateBlock& block, const RmspropNumbers& numbers);

// Constants of one Adagrad step.
struct AdagradNumbers {
    float weightDecay = 0, eps = 0, minusLr = 0;
};
void adagradLoop(const UpdateBlock& block, const AdagradNumbers& numbers);

// out = the sum of the sources' values, each times the factor first, added from the first source to the last. `out` may
// be one of two sources, or the first of more.
void sumLoop(float* out, const float* const* sources, std::size_t sourceCount, std::size_t count, float factor);
// values = clamp(values * factor, -limit, limit); a limit of 0 is none.
void scaleLoop(float* values, std::size_t count, float factor, float limit);

} // namespace trainyard::optim
