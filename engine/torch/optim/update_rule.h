// SPDX-License-Identifier: GPL-3.0-or-later
// How an optimizer makes new weights from gradients. One rule in forms that give the same bits: on plain memory, for
// callers that update a part of the weights at a time; on tensors of any device and type; and on many of them at once.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"

#include <torch/torch.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::optim {

inline constexpr std::size_t kMaxSlots = 3;

// What one parameter is updated with in one step.
struct UpdateSettings {
    double lr = 0, weightDecay = 0;
    std::int64_t step = 1; // from 1, this one included
};

// Consecutive elements of one parameter. A slot is what the optimizer remembers of each element (a momentum, say); it
// is zero, or the rule's first value, before step 1. New values may be written over the old ones, or elsewhere, but not
// partly over them.
struct UpdateBlock {
    std::size_t count = 0;
    const float* gradient = nullptr;
    const float* weights = nullptr;
    float* newWeights = nullptr;
    std::array<const float*, kMaxSlots> slots{};
    std::array<float*, kMaxSlots> newSlots{};
};

// Parameters on one device that are updated with the same settings. slots[s][p] is slot s of parameter p.
struct UpdateGroup {
    std::vector<torch::Tensor> weights, gradients;
    std::vector<std::vector<torch::Tensor>> slots;
};

// How an optimizer makes new weights of old ones.
class UpdateRule {
public:
    virtual ~UpdateRule() = default;
    virtual std::vector<std::string> slots() const = 0; // their names, at most kMaxSlots
    virtual double firstValue() const { return 0; }     // of every slot
    virtual void update(const UpdateBlock& block, const UpdateSettings& settings) const = 0;
    // The same in place. `slots` has one tensor for each name, of the weights' shape.
    virtual void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                        const UpdateSettings& settings) const = 0;
    // The same for several parameters at once, in place, with the same bits: on a device, to start a kernel for each
    // costs more than its work. False: this rule has no such form, and nothing was changed.
    virtual bool updateMany(const UpdateGroup&, const UpdateSettings&) const { return false; }
};

// One row for each optimizer, as in the run file.
std::vector<spec::Entry> optimizerEntries();
// Kind Input: unknown name or a parameter out of range.
Result<std::unique_ptr<UpdateRule>> makeUpdateRule(const spec::Choice& choice);

} // namespace trainyard::optim
