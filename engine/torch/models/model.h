// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/torch/base/served_tasks.h"

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::models {

// float [B, ...sampleShape] -> outputs of the task (TaskKind): logits [B, outputs], numbers [B, outputs], or, from
// tokens int64 [B, T], logits [B, T, outputs]. Its parameter names are part of the file formats.
class Model : public torch::nn::Module {
public:
    virtual torch::Tensor forward(torch::Tensor x) = 0;
    // The fewest samples that forward takes at once in the mode (train(), eval()) that the model is in.
    virtual std::int64_t leastBatch() const { return 1; }
    // Whether its blocks are computed again in the backward pass instead of kept. False: it has none that can be.
    virtual bool recomputeBlocks(bool on) { return !on; }
    // What the user has to know before it trains, in a sentence each.
    virtual std::vector<std::string> notices() const { return {}; }
};

// A model that ends in one layer, which makes outputs of what the others, the body, say of a sample.
class HeadedModel : public Model {
public:
    torch::Tensor forward(torch::Tensor x) final { return head(features(std::move(x))); }
    // What the last layer is given: [B, F], or [B, T, F] of tokens.
    virtual torch::Tensor features(torch::Tensor x) = 0;
    virtual torch::Tensor head(const torch::Tensor& features) = 0;
    // The layer's name in those of the parameters, "fc"; empty: its weights are a part of the body, too.
    virtual std::string headName() const = 0;
};

// As HeadedModel::headName() of a model that is one; else empty.
std::string headNameOf(const Model& model);

// What a model is made for.
struct ModelContext {
    std::vector<std::int64_t> sampleShape; // [C, H, W], [F], or [T] tokens
    std::int64_t outputs = 0;              // classes, columns of targets, labels, or tokens known
    train::TaskKind task = train::TaskKind::Classification;
};

// One row of the table of models. `make` may throw; makeModel maps that to an Error.
struct ModelEntry {
    spec::Entry info;
    std::function<Result<std::shared_ptr<Model>>(const spec::Choice&, const ModelContext&)> make;
    std::vector<train::TaskKind> tasks = {train::TaskKind::Classification, train::TaskKind::Regression,
                                          train::TaskKind::MultiLabel};
};
const std::vector<ModelEntry>& modelEntries();

// The model that the run file names, float32 on the CPU, initialised from torch's default generator (seed it first).
// Kind Input: unknown name, a task it does not serve, a parameter out of range, a sample shape that it cannot take.
Result<std::shared_ptr<Model>> makeModel(const spec::Choice& choice, const ModelContext& context);

// One row of the layer table.
struct LayerInfo {
    std::string name;                      // dotted, as in the parameter names; "relu" and the like are not listed
    std::string kind;                      // "Conv2d", "Linear", "BatchNorm2d", …
    std::vector<std::int64_t> outputShape; // of one sample, without the batch dimension
    std::int64_t parameters = 0;           // its own, without its children's
};

// The layers that hold parameters, in order of execution, found by a dry forward of one zero sample, or of as many as
// the model takes (in evaluation mode, without gradients; the mode is restored).
Result<std::vector<LayerInfo>> summarize(Model& model, const ModelContext& context);
std::int64_t parameterCount(const torch::nn::Module& module);
// Bytes of all activations of one sample in one forward, as far as the layers in summarize() tell.
std::int64_t activationBytes(const std::vector<LayerInfo>& layers);

} // namespace trainyard::models
