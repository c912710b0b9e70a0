// SPDX-License-Identifier: GPL-3.0-or-later
// MobileNetV2 (Sandler and others: MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018, table 2), with the
// parameter names and the initialisation of torchvision, so that its state dictionaries fit.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/trace.h"

#include <algorithm>

namespace trainyard::models {

using spec::ParamType;

namespace {

class ConvNormImpl final : public torch::nn::Module {
public:
    ConvNormImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t groups)
        : m_conv(register_module("0", convolution(in, out, kernel, stride, groups))),
          m_norm(register_module("1", torch::nn::BatchNorm2d(out))) {}

    torch::Tensor forward(const torch::Tensor& x) { return traced(m_norm, traced(m_conv, x)).clamp_(0.0, 6.0); }

private:
    torch::nn::Conv2d m_conv;
    torch::nn::BatchNorm2d m_norm;
};
TORCH_MODULE(ConvNorm);

class InvertedResidualImpl final : public torch::nn::Module {
public:
    InvertedResidualImpl(std::int64_t in, std::int64_t out, std::int64_t stride, std::int64_t expand)
        : m_add(stride == 1 && in == out), m_project(convolution(in * expand, out, 1, 1)), m_norm(out) {
        if (expand != 1) m_stages.emplace_back(in, in * expand, 1, 1, 1);
        m_stages.emplace_back(in * expand, in * expand, 3, stride, in * expand);
        const auto list = std::make_shared<torch::nn::Module>("Stages");
        std::size_t place = 0;
        for (; place < m_stages.size(); ++place) list->register_module(std::to_string(place), m_stages[place].ptr());
        list->register_module(std::to_string(place), m_project.ptr());
        list->register_module(std::to_string(place + 1), m_norm.ptr());
        register_module("conv", list);
    }

    torch::Tensor forward(const torch::Tensor& x) {
        torch::Tensor y = x;
        for (ConvNorm& stage : m_stages) y = stage->forward(y);
        y = traced(m_norm, traced(m_project, y));
        return m_add ? y.add_(x) : y;
    }

private:
    bool m_add;
    std::vector<ConvNorm> m_stages;
    torch::nn::Conv2d m_project;
    torch::nn::BatchNorm2d m_norm;
};
TORCH_MODULE(InvertedResidual);

struct Stage {
    std::int64_t expand, channels, blocks, stride;
};
constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

class MobileNet final : public HeadedModel {
public:
    MobileNet(const ModelContext& context, const train::Arguments& arguments) : m_dropout(arguments.number("dropout")) {
        const double width = arguments.number("width");
        const bool imagenet = arguments.text("stem") == "imagenet";
        const auto features = std::make_shared<torch::nn::Module>("Features");
        std::int64_t in = wholeChannels(32 * width), place = 0;
        const auto add = [&](const std::shared_ptr<torch::nn::Module>& part) {
            features->register_module(std::to_string(place++), part);
        };
        m_first = ConvNorm(context.sampleShape[0], in, 3, imagenet ? 2 : 1, 1);
        add(m_first.ptr());
        for (const Stage& stage : kStages)
            for (std::int64_t i = 0; i < stage.blocks; ++i) {
                const std::int64_t out = wholeChannels(static_cast<double>(stage.channels) * width);
                const bool early = !imagenet && stage.channels < 32; // small images keep their size for longer
                m_blocks.emplace_back(in, out, i > 0 || early ? 1 : stage.stride, stage.expand);
                add(m_blocks.back().ptr());
                in = out;
            }
        const std::int64_t last = wholeChannels(1280 * std::max(1.0, width));
        m_last = ConvNorm(in, last, 1, 1, 1);
        add(m_last.ptr());
        register_module("features", features);
        m_fc = kernels::Linear(last, context.outputs);
        register_module("classifier", std::make_shared<torch::nn::Module>("Classifier"))
            ->register_module("1", m_fc.ptr()); // 0 is the dropout
        initialiseConvolutions(*this);
        torch::nn::init::normal_(m_fc->weight, 0.0, 0.01);
        torch::nn::init::zeros_(m_fc->bias);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = m_first->forward(x);
        for (InvertedResidual& block : m_blocks) x = block->forward(x);
        return torch::adaptive_avg_pool2d(m_last->forward(x), {1, 1}).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override {
        return traced(m_fc, torch::dropout(features, m_dropout, is_training()));
    }
    std::string headName() const override { return "classifier.1"; }

private:
    ConvNorm m_first{nullptr}, m_last{nullptr};
    std::vector<InvertedResidual> m_blocks;
    kernels::Linear m_fc{nullptr};
    double m_dropout;
};

spec::Entry mobileNetInfo() {
    spec::Entry entry;
    entry.name = "mobilenet_v2";
    entry.title = Engine::tr("MobileNetV2");
    entry.help = Engine::tr("Small, fast residual network with torchvision's parameter names, for images of any size.");
    entry.params = {
        widthFactorInfo(),
        headDropoutInfo(0.2),
        {.name = "stem",
         .title = Engine::tr("Stem"),
         .type = ParamType::Option,
         .defaultValue = std::string("imagenet"),
         .options = {"imagenet", "small"},
         .help = Engine::tr("imagenet: halves the image five times; small: three times, for small images.")}};
    entry.facts = {{Engine::tr("source"), "Sandler et al. 2018, arXiv:1801.04381"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeMobileNet(const spec::Choice& choice, const ModelContext& context) {
    TY_TRY(needsImages(choice, context));
    const spec::Entry info = mobileNetInfo();
    return std::shared_ptr<Model>(std::make_shared<MobileNet>(context, train::Arguments(choice, info, "model")));
}

} // namespace

ModelEntry mobileNetEntry() { return {mobileNetInfo(), makeMobileNet}; }

} // namespace trainyard::models
