// SPDX-License-Identifier: GPL-3.0-or-later
// Vision transformer (Dosovitskiy and others: An Image is Worth 16x16 Words, 2020), by default the size named "tiny",
// with the parameter names and the initialisation of torchvision's VisionTransformer, so that its state dictionaries
// fit.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/attention.h"
#include "engine/torch/models/layers.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/models/trace.h"

#include <cmath>

namespace trainyard::models {

namespace {

constexpr double kEps = 1e-6; // of the layer norms, torchvision's

torch::nn::LayerNorm vitNorm(std::int64_t width) {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}).eps(kEps));
}

class VitLayerImpl final : public torch::nn::Module {
public:
    VitLayerImpl(std::int64_t width, std::int64_t heads, double dropout)
        : m_dropout(dropout), m_norm1(register_module("ln_1", vitNorm(width))),
          m_attention(register_module("self_attention", SelfAttention(width, heads, /*causal=*/false, 0.0))),
          m_norm2(register_module("ln_2", vitNorm(width))), m_in(width, 4 * width), m_out(4 * width, width) {
        const auto mlp = register_module("mlp", std::make_shared<torch::nn::Module>("Mlp"));
        mlp->register_module("0", m_in.ptr());
        mlp->register_module("3", m_out.ptr());
        for (const auto& layer : {m_in, m_out}) {
            torch::nn::init::xavier_uniform_(layer->weight);
            torch::nn::init::normal_(layer->bias, 0.0, 1e-6);
        }
    }

    torch::Tensor forward(const torch::Tensor& x) {
        const auto drop = [this](const torch::Tensor& y) { return torch::dropout(y, m_dropout, is_training()); };
        const auto seen = x + drop(traced(m_attention, traced(m_norm1, x)));
        const auto inner = drop(torch::gelu(traced(m_in, traced(m_norm2, seen))));
        return seen + drop(traced(m_out, inner));
    }

private:
    double m_dropout;
    torch::nn::LayerNorm m_norm1;
    SelfAttention m_attention;
    torch::nn::LayerNorm m_norm2;
    kernels::Linear m_in, m_out;
};
TORCH_MODULE(VitLayer);

// Adds the positions and runs the layers; its own parameter is the embedding of the positions.
class VitEncoderImpl final : public torch::nn::Module {
public:
    VitEncoderImpl(std::int64_t length, std::int64_t width, const train::Arguments& arguments)
        : m_dropout(arguments.number("dropout")),
          m_positions(register_parameter("pos_embedding", torch::empty({1, length, width}).normal_(0.0, 0.02))) {
        const auto layers = std::make_shared<torch::nn::Module>("Layers");
        for (std::int64_t i = 0; i < arguments.integer("depth"); ++i) {
            m_layers.emplace_back(width, arguments.integer("heads"), m_dropout);
            layers->register_module("encoder_layer_" + std::to_string(i), m_layers.back().ptr());
        }
        register_module("layers", layers);
        m_norm = register_module("ln", vitNorm(width));
    }

    torch::Tensor forward(const torch::Tensor& x) {
        torch::Tensor y = torch::dropout(x + m_positions, m_dropout, is_training());
        for (VitLayer& layer : m_layers) {
            const auto forward = [module = layer.get()](const torch::Tensor& z) { return module->forward(z); };
            y = m_recompute && is_training() ? recomputed(*layer, y, forward) : forward(y);
        }
        return traced(m_norm, y);
    }
    void recompute(bool on) { m_recompute = on; }

private:
    double m_dropout;
    torch::Tensor m_positions;
    std::vector<VitLayer> m_layers;
    torch::nn::LayerNorm m_norm{nullptr};
    bool m_recompute = false;
};
TORCH_MODULE(VitEncoder);

class Vit final : public HeadedModel {
public:
    Vit(const ModelContext& context, const train::Arguments& arguments) {
        const std::int64_t width = arguments.integer("width"), patch = arguments.integer("patch");
        const std::int64_t channels = context.sampleShape[0];
        const std::int64_t patches = (context.sampleShape[1] / patch) * (context.sampleShape[2] / patch);
        m_class = register_parameter("class_token", torch::zeros({1, 1, width}));
        m_patches = register_module("conv_proj",
                                    torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, width, patch).stride(patch)));
        m_encoder = register_module("encoder", VitEncoder(patches + 1, width, arguments));
        m_head = kernels::Linear(width, context.outputs);
        register_module("heads", std::make_shared<torch::nn::Module>("Heads"))->register_module("head", m_head.ptr());
        truncatedNormal(m_patches->weight, std::sqrt(1.0 / static_cast<double>(channels * patch * patch)));
        torch::nn::init::zeros_(m_patches->bias);
        torch::nn::init::zeros_(m_head->weight);
        torch::nn::init::zeros_(m_head->bias);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = traced(m_patches, x).flatten(2).transpose(1, 2); // [B, patches, width]
        const auto token = torch::zeros_like(x.slice(1, 0, 1)) + m_class;
        x = torch::cat({token, x}, 1);
        recordLayer(*this, x);
        return traced(m_encoder, x).select(1, 0);
    }
    torch::Tensor head(const torch::Tensor& features) override { return traced(m_head, features); }
    std::string headName() const override { return "heads.head"; }

    bool recomputeBlocks(bool on) override {
        m_encoder->recompute(on);
        return true;
    }

private:
    torch::Tensor m_class;
    torch::nn::Conv2d m_patches{nullptr};
    VitEncoder m_encoder{nullptr};
    kernels::Linear m_head{nullptr};
};

spec::Entry vitInfo() {
    spec::Entry entry;
    entry.name = "vit";
    entry.title = Engine::tr("Vision transformer");
    entry.help =
        Engine::tr("Attention between patches of an image, size \"tiny\", with torchvision's parameter names.");
    entry.params =
        attentionParams(192, 8192, Engine::tr("Size of a patch's embedding; a multiple of the heads."), 12, 3);
    const spec::ParamInfo patch{.name = "patch",
                                .title = Engine::tr("Patch"),
                                .type = spec::ParamType::Integer,
                                .defaultValue = std::int64_t{4},
                                .min = 1.0,
                                .max = 256.0,
                                .logScale = true,
                                .help =
                                    Engine::tr("Side of a patch in pixels; it must divide both sides of the image.")};
    entry.params.insert(entry.params.begin(), patch);
    entry.facts = {{Engine::tr("optimizer"), "adamw"},
                   {Engine::tr("lr"), "0.0005"},
                   {Engine::tr("recompute"), "blocks"},
                   {Engine::tr("source"), "Dosovitskiy et al. 2020, arXiv:2010.11929"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeVit(const spec::Choice& choice, const ModelContext& context) {
    TY_TRY(needsImages(choice, context));
    const spec::Entry info = vitInfo();
    const train::Arguments arguments(choice, info, "model");
    const std::int64_t patch = arguments.integer("patch");
    if (context.sampleShape[1] % patch != 0 || context.sampleShape[2] % patch != 0)
        return inputError("images of " + std::to_string(context.sampleShape[1]) + " x " +
                              std::to_string(context.sampleShape[2]) + " do not divide into patches of " +
                              std::to_string(patch),
                          arguments.path("patch"), "use a divisor of both sides");
    TY_TRY(checkHeads(arguments));
    return std::shared_ptr<Model>(std::make_shared<Vit>(context, arguments));
}

} // namespace

ModelEntry vitEntry() { return {vitInfo(), makeVit}; }

} // namespace trainyard::models
