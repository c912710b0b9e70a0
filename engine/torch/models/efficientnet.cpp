// SPDX-License-Identifier: GPL-3.0-or-later
// EfficientNet (Tan and Le: EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, 2019, table 1),
// with the parameter names and the initialisation of torchvision, so that its state dictionaries fit.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/trace.h"

#include <algorithm>
#include <cmath>

namespace trainyard::models {
namespace {

// A convolution and its normalisation; SiLU after them unless it is the last of a block.
class EfficientConvImpl final : public torch::nn::Module {
public:
    EfficientConvImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t groups,
                      bool activated = true)
        : m_activated(activated), m_conv(register_module("0", convolution(in, out, kernel, stride, groups))),
          m_norm(register_module("1", torch::nn::BatchNorm2d(out))) {}

    torch::Tensor forward(const torch::Tensor& x) {
        const torch::Tensor y = traced(m_norm, traced(m_conv, x));
        return m_activated ? torch::silu(y) : y;
    }

private:
    bool m_activated;
    torch::nn::Conv2d m_conv;
    torch::nn::BatchNorm2d m_norm;
};
TORCH_MODULE(EfficientConv);

// Weighs the channels by what they hold on average (Hu et al., Squeeze-and-Excitation Networks, 2017).
class SqueezeExciteImpl final : public torch::nn::Module {
public:
    SqueezeExciteImpl(std::int64_t channels, std::int64_t squeezed)
        : m_in(register_module("fc1", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, squeezed, 1)))),
          m_out(register_module("fc2", torch::nn::Conv2d(torch::nn::Conv2dOptions(squeezed, channels, 1)))) {}

    torch::Tensor forward(const torch::Tensor& x) {
        const torch::Tensor inner = torch::silu(traced(m_in, torch::adaptive_avg_pool2d(x, {1, 1})));
        return x * torch::sigmoid(traced(m_out, inner));
    }

private:
    torch::nn::Conv2d m_in, m_out;
};
TORCH_MODULE(SqueezeExcite);

// An inverted residual: wide inside, weighed, and dropped at random for whole samples.
class EfficientBlockImpl final : public torch::nn::Module {
public:
    EfficientBlockImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t expand,
                       double dropPath)
        : m_add(stride == 1 && in == out), m_dropPath(dropPath),
          m_expand(expand == 1 ? EfficientConv(nullptr) : EfficientConv(in, in * expand, 1, 1, 1)),
          m_depth(in * expand, in * expand, kernel, stride, in * expand),
          m_excite(in * expand, std::max<std::int64_t>(1, in / 4)), m_project(in * expand, out, 1, 1, 1, false) {
        const auto list = std::make_shared<torch::nn::Module>("Block");
        std::size_t place = 0;
        const auto add = [&](const auto& part) { list->register_module(std::to_string(place++), part.ptr()); };
        if (m_expand) add(m_expand);
        add(m_depth);
        add(m_excite);
        add(m_project);
        register_module("block", list);
    }

    torch::Tensor forward(const torch::Tensor& x) {
        torch::Tensor y = m_expand ? m_expand->forward(x) : x;
        y = m_project->forward(m_excite->forward(m_depth->forward(y)));
        return m_add ? dropPath(y, m_dropPath, is_training()) + x : y;
    }

private:
    bool m_add;
    double m_dropPath;
    EfficientConv m_expand, m_depth; // made in the order of torchvision, which draws the weights so
    SqueezeExcite m_excite;
    EfficientConv m_project;
};
TORCH_MODULE(EfficientBlock);

struct EfficientStage {
    std::int64_t expand, kernel, stride, channels, blocks;
};
constexpr EfficientStage kEfficientStages[] = {{1, 3, 1, 16, 1},  {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2}, {6, 3, 2, 80, 3},
                                               {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1}};

class EfficientNet final : public HeadedModel {
public:
    EfficientNet(const ModelContext& context, const train::Arguments& arguments)
        : m_dropout(arguments.number("dropout")) {
        const double width = arguments.number("width"), depth = arguments.number("depth");
        const auto wide = [&](std::int64_t plain) { return wholeChannels(static_cast<double>(plain) * width); };
        const auto deep = [&](const EfficientStage& stage) {
            return static_cast<std::int64_t>(std::ceil(static_cast<double>(stage.blocks) * depth));
        };
        std::int64_t total = 0;
        for (const EfficientStage& stage : kEfficientStages) total += deep(stage);

        const auto features = std::make_shared<torch::nn::Module>("Features");
        std::int64_t in = wide(32), place = 0;
        const auto add = [&](const std::shared_ptr<torch::nn::Module>& part) {
            features->register_module(std::to_string(place++), part);
        };
        m_first = EfficientConv(context.sampleShape[0], in, 3, 2, 1);
        add(m_first.ptr());
        for (const EfficientStage& stage : kEfficientStages) {
            const auto list = std::make_shared<torch::nn::Module>("Stage");
            for (std::int64_t i = 0; i < deep(stage); ++i) {
                const double share = static_cast<double>(m_blocks.size()) / static_cast<double>(total);
                const std::int64_t out = wide(stage.channels);
                m_blocks.emplace_back(in, out, stage.kernel, i > 0 ? 1 : stage.stride, stage.expand,
                                      arguments.number("dropPath") * share);
                list->register_module(std::to_string(i), m_blocks.back().ptr());
                in = out;
            }
            add(list);
        }
        m_last = EfficientConv(in, 4 * in, 1, 1, 1);
        add(m_last.ptr());
        register_module("features", features);
        m_fc = kernels::Linear(4 * in, context.outputs);
        register_module("classifier", std::make_shared<torch::nn::Module>("Classifier"))
            ->register_module("1", m_fc.ptr()); // 0 is the dropout
        initialiseConvolutions(*this);
        const double range = 1.0 / std::sqrt(static_cast<double>(context.outputs));
        torch::nn::init::uniform_(m_fc->weight, -range, range);
        torch::nn::init::zeros_(m_fc->bias);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = m_first->forward(x);
        for (EfficientBlock& block : m_blocks) x = block->forward(x);
        return torch::adaptive_avg_pool2d(m_last->forward(x), {1, 1}).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override {
        return traced(m_fc, torch::dropout(features, m_dropout, is_training()));
    }
    std::string headName() const override { return "classifier.1"; }

private:
    EfficientConv m_first{nullptr}, m_last{nullptr};
    std::vector<EfficientBlock> m_blocks;
    kernels::Linear m_fc{nullptr};
    double m_dropout;
};

spec::Entry efficientNetInfo() {
    spec::Entry entry;
    entry.name = "efficientnet";
    entry.title = Engine::tr("EfficientNet");
    entry.help = Engine::tr("Accurate for its size, with torchvision's parameter names, for images of any size. The "
                            "defaults are B0. Width and depth of 1 and 1.1 give B1, 1.1 and 1.2 B2, 1.2 and 1.4 B3, "
                            "1.4 and 1.8 B4.");
    entry.params = {widthFactorInfo(),
                    {.name = "depth",
                     .title = Engine::tr("Depth"),
                     .defaultValue = 1.0,
                     .min = 0.1,
                     .max = 4.0,
                     .logScale = true,
                     .help = Engine::tr("Multiplies the number of blocks of each stage.")},
                    headDropoutInfo(0.2),
                    dropPathInfo(0.2)};
    entry.facts = {{Engine::tr("source"), "Tan and Le 2019, arXiv:1905.11946"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeEfficientNet(const spec::Choice& choice, const ModelContext& context) {
    TY_TRY(needsImages(choice, context));
    const spec::Entry info = efficientNetInfo();
    return std::shared_ptr<Model>(std::make_shared<EfficientNet>(context, train::Arguments(choice, info, "model")));
}

} // namespace

ModelEntry efficientNetEntry() { return {efficientNetInfo(), makeEfficientNet}; }

} // namespace trainyard::models
