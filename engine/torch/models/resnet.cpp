// SPDX-License-Identifier: GPL-3.0-or-later
// ResNets (He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015, table 1), with the parameter names
// and the initialisation of torchvision, so that its state dictionaries fit.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/trace.h"

#include <array>

namespace trainyard::models {

using spec::ParamInfo;
using spec::ParamType;

namespace {

// What a stage is made of; it gives `expansion` times the channels that it is named for.
class ResidualBlock : public torch::nn::Module {
public:
    virtual torch::Tensor forward(const torch::Tensor& x) = 0;

protected:
    void makeShortcut(std::int64_t in, std::int64_t out, std::int64_t stride) {
        if (stride == 1 && in == out) return;
        m_projection = convolution(in, out, 1, stride);
        m_projectionNorm = torch::nn::BatchNorm2d(out);
        register_module("downsample", torch::nn::Sequential(m_projection, m_projectionNorm));
    }
    torch::Tensor shortcut(const torch::Tensor& x) {
        return m_projection ? traced(m_projectionNorm, traced(m_projection, x)) : x;
    }

private:
    torch::nn::Conv2d m_projection{nullptr};
    torch::nn::BatchNorm2d m_projectionNorm{nullptr};
};

class BasicBlock final : public ResidualBlock {
public:
    static constexpr std::int64_t kExpansion = 1;

    BasicBlock(std::int64_t in, std::int64_t width, std::int64_t stride)
        : m_conv1(register_module("conv1", convolution(in, width, 3, stride))),
          m_bn1(register_module("bn1", torch::nn::BatchNorm2d(width))),
          m_conv2(register_module("conv2", convolution(width, width, 3, 1))),
          m_bn2(register_module("bn2", torch::nn::BatchNorm2d(width))) {
        makeShortcut(in, width, stride);
    }

    torch::Tensor forward(const torch::Tensor& x) override {
        torch::Tensor y = traced(m_bn1, traced(m_conv1, x)).relu_();
        y = traced(m_bn2, traced(m_conv2, y));
        return y.add_(shortcut(x)).relu_();
    }

private:
    torch::nn::Conv2d m_conv1;
    torch::nn::BatchNorm2d m_bn1;
    torch::nn::Conv2d m_conv2;
    torch::nn::BatchNorm2d m_bn2;
};

// Narrow, convolve, widen; the stride is at the middle convolution, as in torchvision.
class Bottleneck final : public ResidualBlock {
public:
    static constexpr std::int64_t kExpansion = 4;

    Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride)
        : m_conv1(register_module("conv1", convolution(in, width, 1, 1))),
          m_bn1(register_module("bn1", torch::nn::BatchNorm2d(width))),
          m_conv2(register_module("conv2", convolution(width, width, 3, stride))),
          m_bn2(register_module("bn2", torch::nn::BatchNorm2d(width))),
          m_conv3(register_module("conv3", convolution(width, width * kExpansion, 1, 1))),
          m_bn3(register_module("bn3", torch::nn::BatchNorm2d(width * kExpansion))) {
        makeShortcut(in, width * kExpansion, stride);
    }

    torch::Tensor forward(const torch::Tensor& x) override {
        torch::Tensor y = traced(m_bn1, traced(m_conv1, x)).relu_();
        y = traced(m_bn2, traced(m_conv2, y)).relu_();
        y = traced(m_bn3, traced(m_conv3, y));
        return y.add_(shortcut(x)).relu_();
    }

private:
    torch::nn::Conv2d m_conv1;
    torch::nn::BatchNorm2d m_bn1;
    torch::nn::Conv2d m_conv2;
    torch::nn::BatchNorm2d m_bn2;
    torch::nn::Conv2d m_conv3;
    torch::nn::BatchNorm2d m_bn3;
};

template <class Block>
class ResNet final : public HeadedModel {
public:
    ResNet(const ModelContext& context, const std::array<int, 4>& blocks, bool imagenetStem)
        : m_imagenetStem(imagenetStem),
          m_conv1(register_module("conv1", imagenetStem ? convolution(context.sampleShape[0], 64, 7, 2)
                                                        : convolution(context.sampleShape[0], 64, 3, 1))),
          m_bn1(register_module("bn1", torch::nn::BatchNorm2d(64))) {
        std::int64_t in = 64, out = 64;
        for (std::size_t stage = 0; stage < blocks.size(); ++stage, out *= 2) {
            torch::nn::ModuleList layer;
            for (int i = 0; i < blocks[stage]; ++i) {
                m_blocks.push_back(std::make_shared<Block>(in, out, stage > 0 && i == 0 ? 2 : 1));
                layer->push_back(m_blocks.back());
                in = out * Block::kExpansion;
            }
            register_module("layer" + std::to_string(stage + 1), layer);
        }
        m_fc = register_module("fc", kernels::Linear(in, context.outputs));
        initialiseConvolutions(*this);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = traced(m_bn1, traced(m_conv1, x)).relu_();
        if (m_imagenetStem) x = kernels::maxPool2d(x, 3, 2, 1);
        for (const auto& block : m_blocks) x = block->forward(x);
        return torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override { return traced(m_fc, features); }
    std::string headName() const override { return "fc"; }

private:
    bool m_imagenetStem;
    torch::nn::Conv2d m_conv1;
    torch::nn::BatchNorm2d m_bn1;
    std::vector<std::shared_ptr<Block>> m_blocks;
    kernels::Linear m_fc{nullptr};
};

spec::Entry resNetInfo(const char* name, const char* title) {
    spec::Entry entry;
    entry.name = name;
    entry.title = title;
    entry.help = Engine::tr("Residual network with torchvision's parameter names, for images of any size.");
    entry.params = {
        {.name = "stem",
         .title = Engine::tr("Stem"),
         .type = ParamType::Option,
         .defaultValue = std::string("imagenet"),
         .options = {"imagenet", "small"},
         .help = Engine::tr("imagenet: 7 x 7 stride 2 and pooling; small: 3 x 3 stride 1, for small images.")}};
    entry.facts = {{Engine::tr("source"), "He et al. 2015, arXiv:1512.03385"}};
    return entry;
}

template <class Block>
ModelEntry resNetEntry(const char* name, const char* title, std::array<int, 4> blocks) {
    return {resNetInfo(name, title),
            [name, title, blocks](const spec::Choice& choice,
                                  const ModelContext& context) -> Result<std::shared_ptr<Model>> {
                TY_TRY(needsImages(choice, context));
                const spec::Entry info = resNetInfo(name, title);
                const bool imagenet = train::Arguments(choice, info, "model").text("stem") == "imagenet";
                return std::shared_ptr<Model>(std::make_shared<ResNet<Block>>(context, blocks, imagenet));
            }};
}

} // namespace

ModelEntry resNet18Entry() { return resNetEntry<BasicBlock>("resnet18", Engine::tr("ResNet-18"), {2, 2, 2, 2}); }
ModelEntry resNet34Entry() { return resNetEntry<BasicBlock>("resnet34", Engine::tr("ResNet-34"), {3, 4, 6, 3}); }
ModelEntry resNet50Entry() { return resNetEntry<Bottleneck>("resnet50", Engine::tr("ResNet-50"), {3, 4, 6, 3}); }

} // namespace trainyard::models
