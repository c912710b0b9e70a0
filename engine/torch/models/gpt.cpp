// SPDX-License-Identifier: GPL-3.0-or-later
// A small decoder-only transformer in the shape of GPT-2 (Radford and others, 2019): pre-norm blocks, learned
// positions.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/attention.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/models/trace.h"

#include <cmath>

namespace trainyard::models {

namespace {

torch::nn::LayerNorm gptNorm(std::int64_t width) { return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})); }

class GptBlockImpl final : public torch::nn::Module {
public:
    GptBlockImpl(std::int64_t width, std::int64_t heads, double dropout, std::string gelu)
        : m_dropout(dropout), m_gelu(std::move(gelu)), m_norm1(register_module("ln_1", gptNorm(width))),
          m_attention(register_module("attn", SelfAttention(width, heads, /*causal=*/true, dropout))),
          m_norm2(register_module("ln_2", gptNorm(width))), m_in(width, 4 * width), m_out(4 * width, width) {
        const auto mlp = register_module("mlp", std::make_shared<torch::nn::Module>("Mlp"));
        mlp->register_module("c_fc", m_in.ptr());
        mlp->register_module("c_proj", m_out.ptr());
    }

    torch::Tensor forward(const torch::Tensor& x) {
        const auto drop = [this](const torch::Tensor& y) { return torch::dropout(y, m_dropout, is_training()); };
        const auto seen = x + drop(traced(m_attention, traced(m_norm1, x)));
        return seen + drop(traced(m_out, torch::gelu(traced(m_in, traced(m_norm2, seen)), m_gelu)));
    }

private:
    double m_dropout;
    std::string m_gelu; // torch.nn.functional.gelu's `approximate`: none, tanh
    torch::nn::LayerNorm m_norm1;
    SelfAttention m_attention;
    torch::nn::LayerNorm m_norm2;
    kernels::Linear m_in, m_out;
};
TORCH_MODULE(GptBlock);

class Gpt final : public HeadedModel {
public:
    Gpt(const ModelContext& context, const train::Arguments& arguments)
        : m_dropout(arguments.number("dropout")),
          m_tokens(register_module("wte", torch::nn::Embedding(context.outputs, arguments.integer("width")))),
          m_positions(
              register_module("wpe", torch::nn::Embedding(context.sampleShape[0], arguments.integer("width")))) {
        const std::int64_t width = arguments.integer("width"), depth = arguments.integer("depth");
        torch::nn::ModuleList list;
        for (std::int64_t i = 0; i < depth; ++i)
            list->push_back(m_blocks.emplace_back(width, arguments.integer("heads"), m_dropout,
                                                  arguments.text("gelu") == "tanh" ? "tanh" : "none"));
        register_module("h", list);
        m_norm = register_module("ln_f", gptNorm(width));
        if (!arguments.flag("tied"))
            m_head = register_module("lm_head",
                                     kernels::Linear(torch::nn::LinearOptions(width, context.outputs).bias(false)));
        initialise(depth);
    }

    torch::Tensor features(torch::Tensor tokens) override {
        const auto places = torch::arange(tokens.size(1), torch::TensorOptions(torch::kInt64).device(tokens.device()));
        torch::Tensor x =
            torch::dropout(traced(m_tokens, tokens) + traced(m_positions, places), m_dropout, is_training());
        for (GptBlock& block : m_blocks) {
            const auto forward = [module = block.get()](const torch::Tensor& y) { return module->forward(y); };
            x = m_recompute && is_training() ? recomputed(*block, x, forward) : forward(x);
        }
        return traced(m_norm, x);
    }
    torch::Tensor head(const torch::Tensor& features) override {
        return m_head ? traced(m_head, features) : kernels::linear(features, m_tokens->weight, {});
    }
    std::string headName() const override { return m_head ? "lm_head" : ""; }

    bool recomputeBlocks(bool on) override {
        m_recompute = on;
        return true;
    }

private:
    // GPT-2's: everything normal with 0.02, and what is added to the stream less, the more blocks add to it.
    void initialise(std::int64_t depth) {
        const double into = 0.02 / std::sqrt(2.0 * static_cast<double>(depth));
        for (auto& item : named_parameters()) {
            const std::string& name = item.key();
            if (item.value().dim() < 2) {
                if (name.ends_with("bias")) torch::nn::init::zeros_(item.value());
                continue;
            }
            const bool adds = name.ends_with("c_proj.weight") || name.ends_with("out_proj.weight");
            torch::nn::init::normal_(item.value(), 0.0, adds ? into : 0.02);
        }
    }

    double m_dropout;
    torch::nn::Embedding m_tokens, m_positions;
    std::vector<GptBlock> m_blocks;
    torch::nn::LayerNorm m_norm{nullptr};
    kernels::Linear m_head{nullptr};
    bool m_recompute = false;
};

spec::Entry gptInfo() {
    spec::Entry entry;
    entry.name = "gpt";
    entry.title = Engine::tr("GPT");
    entry.help = Engine::tr("Small transformer that predicts the next token of a text.");
    entry.params =
        attentionParams(128, 16384, Engine::tr("Size of a token's embedding; a multiple of the heads."), 4, 4);
    entry.params.push_back({.name = "gelu",
                            .title = Engine::tr("GELU"),
                            .type = spec::ParamType::Option,
                            .defaultValue = std::string("exact"),
                            .options = {"exact", "tanh"},
                            .help = Engine::tr("How the activation is computed; GPT-2's weights need tanh.")});
    entry.params.push_back(
        {.name = "tied",
         .title = Engine::tr("Tied head"),
         .type = spec::ParamType::Flag,
         .defaultValue = false,
         .help = Engine::tr("The last layer has the weights of the tokens' embedding, as GPT-2's.")});
    entry.facts = {{Engine::tr("optimizer"), "adamw"},
                   {Engine::tr("lr"), "0.002"},
                   {Engine::tr("recompute"), "blocks"},
                   {Engine::tr("source"), "Radford et al. 2019, Language Models are Unsupervised Multitask Learners"}};
    return entry;
}

Result<std::shared_ptr<Model>> makeGpt(const spec::Choice& choice, const ModelContext& context) {
    const spec::Entry info = gptInfo();
    const train::Arguments arguments(choice, info, "model");
    TY_TRY(checkHeads(arguments));
    return std::shared_ptr<Model>(std::make_shared<Gpt>(context, arguments));
}

} // namespace

ModelEntry gptEntry() { return {gptInfo(), makeGpt, {train::TaskKind::Language}}; }

} // namespace trainyard::models
