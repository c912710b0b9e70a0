// SPDX-License-Identifier: GPL-3.0-or-later
// VGG-11 with batch normalisation (Simonyan, Zisserman: Very Deep Convolutional Networks, 2014, configuration A) and
// one linear layer instead of the three large ones. The convolutions have torchvision's names and initialisation.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/trace.h"

namespace trainyard::models {

using spec::ParamType;

namespace {

// Channels in units of the width; 0 is a pooling that halves the sides.
constexpr std::int64_t kPlan[] = {1, 0, 2, 0, 4, 4, 0, 8, 8, 0, 8, 8, 0};

class Vgg final : public HeadedModel {
public:
    Vgg(const ModelContext& context, std::int64_t width, double dropout) : m_dropout(dropout) {
        auto list = std::make_shared<torch::nn::Module>("Features");
        std::int64_t in = context.sampleShape[0];
        int place = 0; // as in torchvision's Sequential, where the activation has a place of its own
        for (const std::int64_t times : kPlan) {
            m_stages.emplace_back();
            if (times == 0) {
                ++place;
                continue;
            }
            Stage& stage = m_stages.back();
            stage.conv = torch::nn::Conv2d(torch::nn::Conv2dOptions(in, width * times, 3).padding(1));
            stage.norm = torch::nn::BatchNorm2d(width * times);
            list->register_module(std::to_string(place), stage.conv.ptr());
            list->register_module(std::to_string(place + 1), stage.norm.ptr());
            place += 3;
            in = width * times;
        }
        register_module("features", list);
        m_classifier = register_module("classifier", kernels::Linear(in, context.outputs));
        initialiseConvolutions(*this);
        torch::nn::init::normal_(m_classifier->weight, 0.0, 0.01);
        torch::nn::init::zeros_(m_classifier->bias);
    }

    torch::Tensor features(torch::Tensor x) override {
        for (Stage& stage : m_stages)
            if (stage.conv) x = traced(stage.norm, traced(stage.conv, x)).relu_();
            else if (x.size(2) > 1 && x.size(3) > 1) x = kernels::maxPool2d(x, 2, 2); // small images are used up early
        return torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override {
        return traced(m_classifier, torch::dropout(features, m_dropout, is_training()));
    }
    std::string headName() const override { return "classifier"; }

private:
    struct Stage {
        torch::nn::Conv2d conv{nullptr};
        torch::nn::BatchNorm2d norm{nullptr};
    };
    std::vector<Stage> m_stages;
    kernels::Linear m_classifier{nullptr};
    double m_dropout;
};

spec::Entry vggInfo() {
    spec::Entry entry;
    entry.name = "vgg11";
    entry.title = Engine::tr("VGG-11");
    entry.help = Engine::tr("Eight plain 3 x 3 convolutions with batch normalisation, for images of any size.");
    entry.params = {{.name = "width",
                     .title = Engine::tr("Width"),
                     .type = ParamType::Integer,
                     .defaultValue = std::int64_t{64},
                     .min = 1.0,
                     .max = 512.0,
                     .logScale = true,
                     .unit = Engine::tr("channels"),
                     .help = Engine::tr("Channels of the first convolution; the last has eight times as many.")},
                    headDropoutInfo(0.0)};
    entry.facts = {{Engine::tr("source"), "Simonyan and Zisserman 2014, arXiv:1409.1556"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeVgg(const spec::Choice& choice, const ModelContext& context) {
    TY_TRY(needsImages(choice, context));
    const spec::Entry info = vggInfo();
    const train::Arguments arguments(choice, info, "model");
    return std::shared_ptr<Model>(
        std::make_shared<Vgg>(context, arguments.integer("width"), arguments.number("dropout")));
}

} // namespace

ModelEntry vgg11Entry() { return {vggInfo(), makeVgg}; }

} // namespace trainyard::models
