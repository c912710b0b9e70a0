// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/attention.h"

#include "engine/torch/models/block_attention.h"
#include "engine/torch/models/trace.h"

#include <torch/csrc/jit/frontend/tracer.h>

#include <cmath>
#include <limits>

namespace trainyard::models {

SelfAttentionImpl::SelfAttentionImpl(std::int64_t width, std::int64_t heads, bool causal, double dropout)
    : m_heads(heads), m_causal(causal), m_dropout(dropout),
      m_inWeight(register_parameter("in_proj_weight", torch::empty({3 * width, width}))),
      m_inBias(register_parameter("in_proj_bias", torch::zeros({3 * width}))),
      m_out(register_module("out_proj", kernels::Linear(width, width))) {
    torch::nn::init::xavier_uniform_(m_inWeight);
    torch::nn::init::zeros_(m_out->bias);
}

torch::Tensor SelfAttentionImpl::forward(const torch::Tensor& x) {
    // Sizes of the batch stay -1, so that a trace of this serves any batch.
    const std::int64_t length = x.size(1), width = x.size(2), each = width / m_heads;
    const auto split = m_inLora.added(torch::linear(x, m_inWeight, m_inBias), x, is_training()).chunk(3, -1);
    const auto byHead = [&](const torch::Tensor& part) { // [B, heads, T, each]
        return part.reshape({-1, length, m_heads, each}).transpose(1, 2);
    };
    const torch::Tensor q = byHead(split[0]), k = byHead(split[1]), v = byHead(split[2]);
    const torch::Tensor seen =
        needsBlocks(q) ? attentionInBlocks(q, k, v, {m_causal, is_training() ? m_dropout : 0.0}) : attention(q, k, v);
    return traced(m_out, seen.transpose(1, 2).reshape({-1, length, width}));
}

void SelfAttentionImpl::adapt(const kernels::LoraOptions& options, at::Generator& generator) {
    m_inLora.addTo(*this, m_inWeight.size(1), m_inWeight.size(0), options, generator);
}

// All weights at once.
torch::Tensor SelfAttentionImpl::attention(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
    auto scores = torch::matmul(q / std::sqrt(static_cast<double>(q.size(3))), k.transpose(-2, -1));
    if (m_causal) scores = scores.masked_fill(later(q), -std::numeric_limits<float>::infinity());
    return torch::matmul(torch::dropout(torch::softmax(scores, -1), m_dropout, is_training()), v);
}

// [T, T]: what a position may not see. Made once for a length, but in a trace, which would keep it as a constant.
torch::Tensor SelfAttentionImpl::later(const torch::Tensor& q) {
    const auto make = [&] {
        const std::int64_t length = q.size(2);
        return torch::ones({length, length}, q.options().dtype(torch::kBool)).triu(1);
    };
    if (torch::jit::tracer::isTracing()) return make();
    if (!m_later.defined() || m_later.size(0) != q.size(2) || m_later.device() != q.device()) m_later = make();
    return m_later;
}

std::vector<spec::ParamInfo> attentionParams(std::int64_t width, double mostWidth, const char* widthHelp,
                                             std::int64_t depth, std::int64_t heads) {
    const auto whole = [](const char* name, const char* title, std::int64_t usual, double max, const char* help) {
        return spec::ParamInfo{.name = name,
                               .title = title,
                               .type = spec::ParamType::Integer,
                               .defaultValue = usual,
                               .min = 1.0,
                               .max = max,
                               .logScale = true,
                               .help = help};
    };
    return {whole("width", Engine::tr("Width"), width, mostWidth, widthHelp),
            whole("depth", Engine::tr("Depth"), depth, 128, Engine::tr("Layers of attention.")),
            whole("heads", Engine::tr("Heads"), heads, 128, Engine::tr("Attention heads of a layer.")),
            {.name = "dropout",
             .title = Engine::tr("Dropout"),
             .defaultValue = 0.0,
             .min = 0.0,
             .max = 0.95,
             .help = Engine::tr("Share of the outputs of each layer set to zero while training.")}};
}

Result<void> checkHeads(const train::Arguments& arguments) {
    const std::int64_t width = arguments.integer("width"), heads = arguments.integer("heads");
    if (width % heads == 0) return {};
    return inputError(std::to_string(heads) + " does not divide the width of " + std::to_string(width),
                      arguments.path("heads"), "use a divisor of the width");
}

} // namespace trainyard::models
