// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/block_attention.h"

#include "engine/torch/base/compat.h"
#include "engine/torch/models/recompute.h"

#include <torch/custom_class.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kMostWeights = std::int64_t{16} << 20, kBlockWeights = std::int64_t{4} << 20; // numbers
constexpr std::int64_t kLeastRows = 16;

// A block of rows, and the keys that they see.
struct Rows {
    std::int64_t begin = 0, end = 0, keys = 0;
};

std::vector<Rows> blocksOf(const torch::Tensor& q, bool causal) {
    const std::int64_t length = q.size(2);
    const std::int64_t rows =
        std::max(kLeastRows, kBlockWeights / std::max<std::int64_t>(1, q.size(0) * q.size(1) * length));
    std::vector<Rows> blocks;
    for (std::int64_t begin = 0; begin < length; begin += rows) {
        const std::int64_t end = std::min(length, begin + rows);
        blocks.push_back({begin, end, causal ? end : length});
    }
    return blocks;
}

double scaleOf(const torch::Tensor& q) { return 1 / std::sqrt(static_cast<double>(q.size(3))); }

// float32 [B, heads, rows, keys].
torch::Tensor weightsOf(const torch::Tensor& q, const torch::Tensor& k, const Rows& rows, bool causal) {
    auto scores = torch::matmul(q.slice(2, rows.begin, rows.end) * scaleOf(q), k.slice(2, 0, rows.keys).transpose(2, 3))
                      .to(torch::kFloat32);
    if (causal) {
        const auto later =
            torch::ones({rows.end - rows.begin, rows.keys}, q.options().dtype(torch::kBool)).triu(rows.begin + 1);
        scores.masked_fill_(later, -std::numeric_limits<float>::infinity());
    }
    return torch::softmax(scores, -1);
}

// What weights are multiplied with; undefined: nothing is dropped.
torch::Tensor keptOf(const torch::Tensor& weights, double dropout) {
    if (dropout <= 0) return {};
    return torch::empty_like(weights).bernoulli_(1 - dropout).div_(1 - dropout);
}

torch::Tensor seenBy(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                     const AttentionRule& rule) {
    torch::Tensor seen = torch::empty_like(q, torch::MemoryFormat::Contiguous);
    for (const Rows& rows : blocksOf(q, rule.causal)) {
        torch::Tensor weights = weightsOf(q, k, rows, rule.causal);
        if (const torch::Tensor kept = keptOf(weights, rule.dropout); kept.defined()) weights.mul_(kept);
        seen.slice(2, rows.begin, rows.end).copy_(torch::matmul(weights.to(v.scalar_type()), v.slice(2, 0, rows.keys)));
    }
    return seen;
}

struct KeptDraws final : torch::CustomClassHolder {
    explicit KeptDraws(const torch::Device& device) : draws(device) {}
    Draws draws;
};

class BlockAttentionFunction final : public torch::autograd::Function<BlockAttentionFunction> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& q, const torch::Tensor& k,
                                 const torch::Tensor& v, bool causal, double dropout) {
        context->save_for_backward({q, k, v});
        context->saved_data["causal"] = causal;
        context->saved_data["dropout"] = dropout;
        context->saved_data["draws"] = c10::IValue::make_capsule(c10::make_intrusive<KeptDraws>(q.device()));
        return seenBy(q, k, v, {causal, dropout});
    }

    static variable_list backward(AutogradContext* context, const variable_list& outputs) {
        if (!outputs[0].defined()) return variable_list(5);
        const variable_list saved = context->get_saved_variables();
        const torch::Tensor &q = saved[0], &k = saved[1], &v = saved[2], &dSeen = outputs[0];
        const AttentionRule rule{context->saved_data["causal"].toBool(), context->saved_data["dropout"].toDouble()};
        const auto capsule = context->saved_data["draws"].toCapsule();
        const Draws::Again same(static_cast<KeptDraws&>(*capsule).draws);
        const auto wide = q.options().dtype(torch::kFloat32);
        torch::Tensor dq = torch::empty(q.sizes(), wide), dk = torch::zeros(k.sizes(), wide),
                      dv = torch::zeros(v.sizes(), wide);
        for (const Rows& rows : blocksOf(q, rule.causal)) {
            const torch::Tensor weights = weightsOf(q, k, rows, rule.causal), kept = keptOf(weights, rule.dropout);
            const torch::Tensor used = kept.defined() ? weights * kept : weights;
            const torch::Tensor dOut = dSeen.slice(2, rows.begin, rows.end);
            dv.slice(2, 0, rows.keys).add_(torch::matmul(used.to(dOut.scalar_type()).transpose(2, 3), dOut));
            torch::Tensor d = torch::matmul(dOut, v.slice(2, 0, rows.keys).transpose(2, 3)).to(torch::kFloat32);
            if (kept.defined()) d.mul_(kept);
            d = (d - (d * weights).sum(-1, /*keepdim=*/true)).mul_(weights).mul_(scaleOf(q)).to(q.scalar_type());
            dq.slice(2, rows.begin, rows.end).copy_(torch::matmul(d, k.slice(2, 0, rows.keys)));
            dk.slice(2, 0, rows.keys).add_(torch::matmul(d.transpose(2, 3), q.slice(2, rows.begin, rows.end)));
        }
        return {dq.to(q.scalar_type()), dk.to(k.scalar_type()), dv.to(v.scalar_type()), {}, {}};
    }
};

} // namespace

bool needsBlocks(const torch::Tensor& q) {
    return q.size(2) > kLeastRows && q.size(0) * q.size(1) * q.size(2) * q.size(2) > kMostWeights;
}

torch::Tensor attentionInBlocks(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                const AttentionRule& rule) {
#if TRAINYARD_TORCH_AT_LEAST(2, 1)
    // On the CPU its kernel that keeps no weights serves no dropout.
    if (q.is_cuda() || rule.dropout <= 0)
        return at::scaled_dot_product_attention(q, k, v, {}, rule.dropout, rule.causal);
#endif
    if (!torch::GradMode::is_enabled()) return seenBy(q, k, v, rule);
    return BlockAttentionFunction::apply(q, k, v, rule.causal, rule.dropout);
}

} // namespace trainyard::models
