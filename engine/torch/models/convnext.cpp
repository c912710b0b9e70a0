// SPDX-License-Identifier: GPL-3.0-or-later
// ConvNeXt (Liu et al.: A ConvNet for the 2020s, 2022), by default the size named "tiny", with the parameter names and
// the initialisation of torchvision, so that its state dictionaries fit.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/models/trace.h"

#include <algorithm>

namespace trainyard::models {
namespace {

constexpr double kConvNextEps = 1e-6; // of the layer norms, torchvision's

torch::nn::LayerNorm channelNorm(std::int64_t width) {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}).eps(kConvNextEps));
}

// Normalises the channels of images [B, C, H, W] at each place.
torch::Tensor normalised(torch::nn::LayerNorm& norm, const torch::Tensor& x) {
    return traced(norm, x.permute({0, 2, 3, 1})).permute({0, 3, 1, 2});
}

// Small images amid zeros, which are the mean of normalised ones: the stages halve them five times.
constexpr std::int64_t kLeastSide = 32;
torch::Tensor atLeast(std::int64_t side, const torch::Tensor& x) {
    const std::int64_t high = std::max<std::int64_t>(0, side - x.size(2)),
                       wide = std::max<std::int64_t>(0, side - x.size(3));
    if (high == 0 && wide == 0) return x;
    return torch::constant_pad_nd(x, {wide / 2, wide - wide / 2, high / 2, high - high / 2});
}

torch::nn::Conv2d patchConvolution(std::int64_t in, std::int64_t out, std::int64_t side) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, side).stride(side));
}

class ConvNextBlockImpl final : public torch::nn::Module {
public:
    ConvNextBlockImpl(std::int64_t width, double dropPath)
        : m_dropPath(dropPath), m_scale(register_parameter("layer_scale", torch::full({width, 1, 1}, 1e-6))),
          m_depth(torch::nn::Conv2dOptions(width, width, 7).padding(3).groups(width)), m_norm(channelNorm(width)),
          m_in(width, 4 * width), m_out(4 * width, width) {
        const auto block = register_module("block", std::make_shared<torch::nn::Module>("Block"));
        block->register_module("0", m_depth.ptr());
        block->register_module("2", m_norm.ptr()); // 1, 4 and 6 have no weights
        block->register_module("3", m_in.ptr());
        block->register_module("5", m_out.ptr());
    }

    torch::Tensor forward(const torch::Tensor& x) {
        torch::Tensor y = traced(m_norm, traced(m_depth, x).permute({0, 2, 3, 1}));
        y = traced(m_out, torch::gelu(traced(m_in, y))).permute({0, 3, 1, 2});
        recordLayer(*this, y);
        return x + dropPath(m_scale * y, m_dropPath, is_training());
    }

private:
    double m_dropPath;
    torch::Tensor m_scale;
    torch::nn::Conv2d m_depth;
    torch::nn::LayerNorm m_norm;
    kernels::Linear m_in, m_out;
};
TORCH_MODULE(ConvNextBlock);

// Blocks of one width, and before them what halves the image: for the first, what makes patches of it.
class ConvNextStageImpl final : public torch::nn::Module {
public:
    ConvNextStageImpl(std::int64_t in, std::int64_t width, bool first)
        : m_norm(channelNorm(first ? width : in)), m_conv(patchConvolution(in, width, first ? 4 : 2)), m_first(first) {
        register_module(first ? "1" : "0", m_norm.ptr());
        register_module(first ? "0" : "1", m_conv.ptr());
    }

    torch::Tensor forward(const torch::Tensor& x) {
        if (m_first) return normalised(m_norm, traced(m_conv, x));
        return traced(m_conv, normalised(m_norm, x));
    }

private:
    torch::nn::LayerNorm m_norm;
    torch::nn::Conv2d m_conv;
    bool m_first;
};
TORCH_MODULE(ConvNextStage);

class ConvNext final : public HeadedModel {
public:
    ConvNext(const ModelContext& context, const train::Arguments& arguments) {
        const std::int64_t width = arguments.integer("width"), deep = arguments.integer("depth");
        const std::int64_t blocks[] = {3, 3, deep, 3};
        const auto features = std::make_shared<torch::nn::Module>("Features");
        std::int64_t in = context.sampleShape[0], out = width, place = 0;
        double number = 0;
        for (std::size_t s = 0; s < std::size(blocks); ++s, out *= 2) {
            Stage& stage = m_stages.emplace_back(ConvNextStage(in, out, s == 0));
            features->register_module(std::to_string(place++), stage.entry.ptr());
            const auto list = std::make_shared<torch::nn::Module>("Blocks");
            for (std::int64_t i = 0; i < blocks[s]; ++i, ++number) {
                stage.blocks.emplace_back(out, arguments.number("dropPath") * number / static_cast<double>(deep + 8));
                list->register_module(std::to_string(i), stage.blocks.back().ptr());
            }
            features->register_module(std::to_string(place++), list);
            in = out;
        }
        register_module("features", features);
        m_norm = channelNorm(in);
        m_fc = kernels::Linear(in, context.outputs);
        const auto classifier = register_module("classifier", std::make_shared<torch::nn::Module>("Classifier"));
        classifier->register_module("0", m_norm.ptr());
        classifier->register_module("2", m_fc.ptr());
        for (const auto& part : modules(/*include_self=*/false)) initialise(*part);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = atLeast(kLeastSide, x);
        for (Stage& stage : m_stages) {
            x = stage.entry->forward(x);
            for (ConvNextBlock& block : stage.blocks) {
                const auto forward = [module = block.get()](const torch::Tensor& y) { return module->forward(y); };
                x = m_recompute && is_training() ? recomputed(*block, x, forward) : forward(x);
            }
        }
        return normalised(m_norm, torch::adaptive_avg_pool2d(x, {1, 1})).flatten(1);
    }
    torch::Tensor head(const torch::Tensor& features) override { return traced(m_fc, features); }
    std::string headName() const override { return "classifier.2"; }
    bool recomputeBlocks(bool on) override {
        m_recompute = on;
        return true;
    }

private:
    struct Stage {
        ConvNextStage entry;
        std::vector<ConvNextBlock> blocks{};
        explicit Stage(ConvNextStage made) : entry(std::move(made)) {}
    };

    static void initialise(torch::nn::Module& part) {
        const auto set = [](torch::Tensor& weight, torch::Tensor& bias) {
            truncatedNormal(weight, 0.02);
            torch::nn::init::zeros_(bias);
        };
        if (auto* conv = part.as<torch::nn::Conv2d>()) set(conv->weight, conv->bias);
        if (auto* linear = part.as<torch::nn::Linear>()) set(linear->weight, linear->bias);
    }

    std::vector<Stage> m_stages;
    torch::nn::LayerNorm m_norm{nullptr};
    kernels::Linear m_fc{nullptr};
    bool m_recompute = false;
};

spec::Entry convNextInfo() {
    spec::Entry entry;
    entry.name = "convnext";
    entry.title = Engine::tr("ConvNeXt");
    entry.help = Engine::tr("Large convolutions in a transformer's layout, with torchvision's parameter names, for "
                            "images of any size. The defaults are tiny. A depth of 27 gives small, and with it a width "
                            "of 128 base.");
    entry.params = {{.name = "width",
                     .title = Engine::tr("Width"),
                     .type = spec::ParamType::Integer,
                     .defaultValue = std::int64_t{96},
                     .min = 1.0,
                     .max = 1024.0,
                     .logScale = true,
                     .unit = Engine::tr("channels"),
                     .help = Engine::tr("Channels of the first stage; each of the three others doubles them.")},
                    {.name = "depth",
                     .title = Engine::tr("Depth"),
                     .type = spec::ParamType::Integer,
                     .defaultValue = std::int64_t{9},
                     .min = 1.0,
                     .max = 100.0,
                     .help = Engine::tr("Blocks of the third stage; the others have three.")},
                    dropPathInfo(0.1)};
    entry.facts = {{Engine::tr("optimizer"), "adamw"},
                   {Engine::tr("lr"), "0.0005"},
                   {Engine::tr("recompute"), "blocks"},
                   {Engine::tr("source"), "Liu et al. 2022, arXiv:2201.03545"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeConvNext(const spec::Choice& choice, const ModelContext& context) {
    TY_TRY(needsImages(choice, context));
    const spec::Entry info = convNextInfo();
    return std::shared_ptr<Model>(std::make_shared<ConvNext>(context, train::Arguments(choice, info, "model")));
}

} // namespace

ModelEntry convNextEntry() { return {convNextInfo(), makeConvNext}; }

} // namespace trainyard::models
