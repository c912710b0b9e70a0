// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"

namespace trainyard::models {

using spec::ParamInfo;
using spec::ParamType;

namespace {

constexpr std::int64_t kKernel = 3, kPool = 3;

// Side after the convolution and the pooling.
std::int64_t pooled(std::int64_t side) { return (side - kKernel + 1) / kPool; }

// The small network of Ray's MNIST examples: conv1, max-pool, relu, fc. It gives logits; the logarithm of the softmax
// that the example ends in is part of the loss here.
class ConvNet final : public HeadedModel {
public:
    ConvNet(const ModelContext& context, std::int64_t width)
        : m_conv1(register_module("conv1",
                                  kernels::Conv2d(torch::nn::Conv2dOptions(context.sampleShape[0], width, kKernel)))),
          m_fc(register_module("fc",
                               kernels::Linear(width * pooled(context.sampleShape[1]) * pooled(context.sampleShape[2]),
                                               context.outputs))) {}

    torch::Tensor features(torch::Tensor x) override {
        return torch::relu(kernels::maxPool2d(traced(m_conv1, x), kPool, kPool)).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override { return traced(m_fc, features); }
    std::string headName() const override { return "fc"; }

private:
    kernels::Conv2d m_conv1;
    kernels::Linear m_fc;
};

spec::Entry convNetInfo() {
    spec::Entry entry;
    entry.name = "convnet";
    entry.title = Engine::tr("Small ConvNet");
    entry.help = Engine::tr("One convolution, pooling and a linear layer, as in Ray's MNIST examples.");
    entry.params = {{.name = "width",
                     .title = Engine::tr("Filters"),
                     .type = ParamType::Integer,
                     .defaultValue = std::int64_t{3},
                     .min = 1.0,
                     .max = 4096.0,
                     .logScale = true,
                     .help = Engine::tr("Output channels of the convolution.")}};
    return entry;
}

Result<std::shared_ptr<Model>> makeConvNet(const spec::Choice& choice, const ModelContext& context) {
    if (context.sampleShape.size() != 3)
        return inputError("convnet needs images, and the dataset has vectors", "model.name", "use mlp");
    if (pooled(context.sampleShape[1]) < 1 || pooled(context.sampleShape[2]) < 1)
        return inputError("convnet needs images of at least 5 x 5 pixels, and these are " +
                              std::to_string(context.sampleShape[1]) + " x " + std::to_string(context.sampleShape[2]),
                          "model.name", "use mlp");
    const spec::Entry info = convNetInfo();
    const std::int64_t width = train::Arguments(choice, info, "model").integer("width");
    return std::shared_ptr<Model>(std::make_shared<ConvNet>(context, width));
}

} // namespace

ModelEntry convNetEntry() { return {convNetInfo(), makeConvNet}; }

} // namespace trainyard::models
