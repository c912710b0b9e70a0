// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/update_kernels.h"

#include "engine/torch/base/compat.h"
#include "engine/torch/kernels/vector_clones.h"

#include <algorithm>
#include <cmath>

// New values may lie where the old ones do, element for element: no iteration depends on another.
namespace trainyard::optim {
namespace {

TRAINYARD_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// compat::moveMean() for one element; LibTorch's lerp starts from the nearer end.
TRAINYARD_INLINE float movedMean(float mean, float value, float keep, float rest) {
    if constexpr (!train::compat::kMeanByLerp) return fma(rest, value, mean * keep);
    return rest < 0.5F ? fma(rest, value - mean, mean) : fma(rest - 1, value - mean, value);
}

template <bool Momentum, bool First, bool Nesterov>
TRAINYARD_INLINE void sgd(const UpdateBlock& block, const SgdNumbers& n) {
    const float *gradient = block.gradient, *weights = block.weights, *old = block.slots[0];
    float *newWeights = block.newWeights, *velocity = block.newSlots[0];
    const float minusLr = n.minusLr, decay = n.weightDecay, momentum = n.momentum, taken = n.taken;
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < block.count; ++i) {
        const float weight = weights[i];
        float direction = decay != 0 ? fma(decay, weight, gradient[i]) : gradient[i];
        if constexpr (Momentum) {
            const float now = First ? direction : fma(taken, direction, old[i] * momentum);
            velocity[i] = now;
            direction = Nesterov ? fma(momentum, now, direction) : now;
        }
        newWeights[i] = fma(minusLr, direction, weight);
    }
}

template <bool Momentum, bool Average>
TRAINYARD_INLINE void rmsprop(const UpdateBlock& block, const RmspropNumbers& n) {
    const auto at = [](int slot) { return static_cast<std::size_t>(std::max(0, slot)); };
    const float *gradient = block.gradient, *weights = block.weights, *oldSquare = block.slots[0];
    const float *oldMean = block.slots[at(n.averageSlot)], *oldMove = block.slots[at(n.momentumSlot)];
    float *newWeights = block.newWeights, *newSquare = block.newSlots[0];
    float *newMean = block.newSlots[at(n.averageSlot)], *newMove = block.newSlots[at(n.momentumSlot)];
    const float decay = n.weightDecay, alpha = n.alpha, rest = n.rest, eps = n.eps, minusLr = n.minusLr;
    const float momentum = n.momentum;
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < block.count; ++i) {
        const float weight = weights[i];
        const float direction = decay != 0 ? fma(decay, weight, gradient[i]) : gradient[i];
        const float square = fma(rest * direction, direction, oldSquare[i] * alpha);
        newSquare[i] = square;
        float spread = square;
        if constexpr (Average) {
            const float mean = movedMean(oldMean[i], direction, alpha, rest);
            newMean[i] = mean;
            spread = fma(-mean, mean, square);
        }
        const float root = std::sqrt(spread) + eps;
        if constexpr (Momentum) {
            const float move = oldMove[i] * momentum + direction / root;
            newMove[i] = move;
            newWeights[i] = fma(minusLr, move, weight);
        } else {
            newWeights[i] = weight + minusLr * direction / root;
        }
    }
}

} // namespace

TRAINYARD_VECTOR_CLONES
void sgdLoop(const UpdateBlock& block, const SgdNumbers& n) {
    if (n.momentum == 0) return sgd<false, false, false>(block, n);
    if (n.first) return n.nesterov ? sgd<true, true, true>(block, n) : sgd<true, true, false>(block, n);
    if (n.nesterov) return sgd<true, false, true>(block, n);
    sgd<true, false, false>(block, n);
}

TRAINYARD_VECTOR_CLONES
void adamLoop(const UpdateBlock& block, const AdamNumbers& n) {
    const float *gradient = block.gradient, *weights = block.weights, *oldMean = block.slots[0];
    const float* oldSquare = block.slots[1];
    float *newWeights = block.newWeights, *newMean = block.newSlots[0], *newSquare = block.newSlots[1];
    const AdamNumbers c = n;
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < block.count; ++i) {
        const float weight = weights[i] * c.shrink;
        const float direction = c.weightDecay != 0 ? fma(c.weightDecay, weight, gradient[i]) : gradient[i];
        const float mean = movedMean(oldMean[i], direction, c.beta1, c.rest1);
        const float square = fma(c.rest2 * direction, direction, oldSquare[i] * c.beta2);
        newMean[i] = mean;
        newSquare[i] = square;
        newWeights[i] = weight + c.minusStep * mean / (std::sqrt(square) / c.root2 + c.eps);
    }
}

TRAINYARD_VECTOR_CLONES
void lionLoop(const UpdateBlock& block, const LionNumbers& n) {
    const float *gradient = block.gradient, *weights = block.weights, *oldMean = block.slots[0];
    float *newWeights = block.newWeights, *newMean = block.newSlots[0];
    const LionNumbers c = n;
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < block.count; ++i) {
        const float weight = weights[i] * c.shrink;
        const float direction = fma(c.rest1, gradient[i], oldMean[i] * c.beta1);
        newMean[i] = fma(c.rest2, gradient[i], oldMean[i] * c.beta2);
        const float sign = static_cast<float>(direction > 0) - static_cast<float>(direction < 0); // of NaN: 0
        newWeights[i] = fma(c.minusLr, sign, weight);
    }
}

TRAINYARD_VECTOR_CLONES
void rmspropLoop(const UpdateBlock& block, const RmspropNumbers& n) {
    const bool average = n.averageSlot >= 0;
    if (n.momentumSlot >= 0) return average ? rmsprop<true, true>(block, n) : rmsprop<true, false>(block, n);
    if (average) return rmsprop<false, true>(block, n);
    rmsprop<false, false>(block, n);
}

TRAINYARD_VECTOR_CLONES
void adagradLoop(const UpdateBlock& block, const AdagradNumbers& n) {
    const float *gradient = block.gradient, *weights = block.weights, *oldSum = block.slots[0];
    float *newWeights = block.newWeights, *newSum = block.newSlots[0];
    const AdagradNumbers c = n;
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < block.count; ++i) {
        const float weight = weights[i];
        const float direction = c.weightDecay != 0 ? fma(c.weightDecay, weight, gradient[i]) : gradient[i];
        const float sum = fma(direction, direction, oldSum[i]);
        newSum[i] = sum;
        newWeights[i] = weight + c.minusLr * direction / (std::sqrt(sum) + c.eps);
    }
}

TRAINYARD_VECTOR_CLONES
void sumLoop(float* out, const float* const* sources, std::size_t sourceCount, std::size_t count, float factor) {
    const float* first = sources[0];
    if (sourceCount == 2) { // the usual case, in one pass
        const float* second = sources[1];
        TRAINYARD_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i) out[i] = first[i] * factor + second[i] * factor;
        return;
    }
    TRAINYARD_INDEPENDENT
    for (std::size_t i = 0; i < count; ++i) out[i] = first[i] * factor;
    for (std::size_t s = 1; s < sourceCount; ++s) {
        const float* source = sources[s];
        TRAINYARD_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i) out[i] += source[i] * factor;
    }
}

TRAINYARD_VECTOR_CLONES
void scaleLoop(float* values, std::size_t count, float factor, float limit) {
    if (factor != 1) {
        TRAINYARD_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
    }
    if (limit > 0) {
        TRAINYARD_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i) { // a NaN stays one
            float value = values[i];
            value = value < -limit ? -limit : value;
            values[i] = value > limit ? limit : value;
        }
    }
}

} // namespace trainyard::optim
