// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/kept_linear.h"

#include "engine/base/clock.h"
#include "engine/torch/kernels/eligible.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/kernels/onednn.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trainyard::kernels {
namespace {

constexpr std::int64_t kFewest = 16;          // outputs and inputs that are worth it
constexpr std::int64_t kMostRows = 64;        // beyond that LibTorch's own way is as fast
constexpr std::int64_t kMostBytes = 64 << 20; // of weights that are copied, of all layers

// Written by keepLinears() alone, before anything is computed.
struct KeptLayers {
    std::vector<std::int64_t> sizes; // ascending: rows that there are kernels for
    std::unordered_map<const float*, std::unique_ptr<onednn::KeptWeights>> ofWeights;
};

KeptLayers& kept() {
    static KeptLayers all;
    return all;
}

// A kernel for 32 rows takes 5 to 10 µs for each row more than are wanted, so sizes lie close.
std::vector<std::int64_t> sizesUpTo(std::int64_t most) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t rows = 2; rows <= std::min(most, kMostRows); rows += rows < 4 ? 2 : rows < 32 ? 4 : 8)
        sizes.push_back(rows);
    if (!sizes.empty() && sizes.back() < std::min(most, kMostRows)) sizes.push_back(std::min(most, kMostRows));
    return sizes;
}

template <class Compute>
double quickest(const Compute& compute) {
    double seconds = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 4; ++run) { // the first one fills caches
        const double begun = monotonicSeconds();
        compute();
        seconds = std::min(seconds, monotonicSeconds() - begun);
    }
    return seconds;
}

void keepLinear(const LinearImpl& layer, const std::vector<std::int64_t>& sizes) {
    const torch::Tensor &w = layer.weight, &b = layer.bias;
    const bool fits = plain(w) && w.is_contiguous() && w.size(0) >= kFewest && w.size(1) >= kFewest &&
                      (!b.defined() || (plain(b) && b.is_contiguous()));
    if (!fits) return;
    const auto* weights = w.data_ptr<float>();
    auto made = std::make_unique<onednn::KeptWeights>(weights, w.size(0), w.size(1), sizes);
    const torch::Tensor x = torch::randn({sizes.back(), w.size(1)});
    torch::Tensor y = torch::empty({sizes.back(), w.size(0)});
    const double own = quickest([&] { (void)torch::linear(x, w, b); });
    const double other = quickest([&] {
        made->run(sizes.back(), x.data_ptr<float>(), b.defined() ? b.data_ptr<float>() : nullptr, y.data_ptr<float>());
    });
    if (other < own) kept().ofWeights[weights] = std::move(made);
}

} // namespace

void keepLinears(torch::nn::Module& model, std::int64_t most) {
    const torch::NoGradGuard noGradients;
    KeptLayers& all = kept();
    all.sizes = sizesUpTo(most);
    if (!onednn::available() || all.sizes.empty()) return;
    std::int64_t bytes = 0;
    for (const auto& module : model.modules()) {
        const auto* const layer = module->as<LinearImpl>();
        if (layer == nullptr || !layer->weight.defined()) continue;
        bytes += static_cast<std::int64_t>(layer->weight.nbytes());
        if (bytes > kMostBytes) return;
        keepLinear(*layer, all.sizes);
    }
}

torch::Tensor keptLinear(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& b) {
    KeptLayers& all = kept();
    if (all.ofWeights.empty() || torch::GradMode::is_enabled() || !plain(x) || x.dim() != 2 || x.size(0) < 2 ||
        x.size(0) > all.sizes.back() || !plain(w) || x.size(1) != w.size(1) || operationsAreWatched())
        return {};
    const auto found = all.ofWeights.find(w.data_ptr<float>());
    if (found == all.ofWeights.end()) return {};
    const std::int64_t rows = x.size(0), in = x.size(1);
    const std::int64_t size = *std::lower_bound(all.sizes.begin(), all.sizes.end(), rows);
    torch::Tensor a = x.contiguous();
    if (size != rows) {
        a = torch::empty({size, in}, x.options());
        a.narrow(0, 0, rows).copy_(x);
        a.narrow(0, rows, size - rows).zero_();
    }
    torch::Tensor y = torch::empty({size, w.size(0)}, x.options());
    found->second->run(size, a.data_ptr<float>(), b.defined() ? b.data_ptr<float>() : nullptr, y.data_ptr<float>());
    return size == rows ? y : y.narrow(0, 0, rows);
}

} // namespace trainyard::kernels
