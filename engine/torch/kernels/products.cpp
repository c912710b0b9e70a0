// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/products.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"
#include "engine/torch/kernels/onednn.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>

namespace trainyard::kernels {
namespace {

constexpr std::array<const char*, 5> kProducts = {"forward", "input-gradient", "weight-gradient", "convolution",
                                                  "convolution-gradient"};
constexpr std::array<const char*, 4> kKernels = {"stock", "matmul", "gemm", "direct"};

bool isConvolution(Product product) {
    return product == Product::Convolution || product == Product::ConvolutionGradient;
}

bool serves(Kernel kernel, Product product) {
    return kernel == Kernel::Stock || isConvolution(product) == (kernel == Kernel::Direct);
}

struct State {
    Mutex mutex;
    std::atomic<KernelMode> mode{KernelMode::Stock};
    KernelChoices table TY_GUARDED_BY(mutex);
};

State& state() {
    static State all;
    return all;
}

// Runs one product with the kernel it is given.
using Run = std::function<void(Kernel)>;

// The fastest kernel by the shortest of a few interleaved tries: other load can only lengthen one. LibTorch's own keeps
// its place unless another is clearly faster.
Kernel fastest(Product product, const Run& run) {
    constexpr int kRounds = 5;
    constexpr double kLongest = 0.02, kClearly = 0.97; // seconds for one shape; share of the time
    std::array<double, kKernels.size()> best;
    best.fill(std::numeric_limits<double>::infinity());
    const double begun = monotonicSeconds();
    for (int round = 0; round <= kRounds; ++round) { // the first one loads kernels and fills caches
        for (std::size_t k = 0; k < best.size(); ++k) {
            if (!serves(static_cast<Kernel>(k), product)) continue;
            const double from = monotonicSeconds();
            run(static_cast<Kernel>(k));
            if (round > 0) best[k] = std::min(best[k], monotonicSeconds() - from);
        }
        if (round > 0 && monotonicSeconds() - begun > kLongest) break;
    }
    std::size_t winner = 0;
    for (std::size_t k = 1; k < best.size(); ++k)
        if (best[k] < best[winner] * (winner == 0 ? kClearly : 1.0)) winner = k;
    return static_cast<Kernel>(winner);
}

// For a shape that was never timed, the last batch of a validation say: the same product with the nearest number of
// rows. oneDNN is slow where one side is a few numbers long (a head of ten classes), and else it is the faster one.
Kernel withoutTiming(const KernelChoices& table, const ProductShape& shape) {
    const KernelChoices::value_type* nearest = nullptr;
    const auto distance = [&](const ProductShape& other) { return std::llabs(other.rows - shape.rows); };
    for (const auto& row : table) {
        const ProductShape& other = row.first;
        if (other.product != shape.product || other.in != shape.in || other.out != shape.out) continue;
        if (!nearest || distance(other) < distance(nearest->first)) nearest = &row;
    }
    if (nearest) return nearest->second;
    if (isConvolution(shape.product)) return Kernel::Stock;
    return std::min({shape.rows, shape.in, shape.out}) < 16 ? Kernel::Stock : Kernel::Matmul;
}

Kernel kernelFor(const ProductShape& shape, const Run& run) {
    State& all = state();
    const KernelMode mode = all.mode.load(std::memory_order_relaxed);
    if (mode == KernelMode::Stock) return Kernel::Stock;
    if (mode == KernelMode::OneDnn) return isConvolution(shape.product) ? Kernel::Stock : Kernel::Matmul;
    {
        const MutexLock lock(all.mutex);
        if (const auto found = all.table.find(shape); found != all.table.end()) return found->second;
        if (mode == KernelMode::Chosen) return withoutTiming(all.table, shape);
    }
    const Kernel chosen = fastest(shape.product, run);
    const MutexLock lock(all.mutex);
    return all.table.emplace(shape, chosen).first->second;
}

const float* floats(const torch::Tensor& tensor) { return tensor.defined() ? tensor.data_ptr<float>() : nullptr; }

// bfloat16 factors: LibTorch's own way has no fp32 result, so there is nothing to choose from.
bool runBf16(onednn::MatrixProduct product, const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& bias,
             torch::Tensor& c) {
    if (a.scalar_type() != torch::kBFloat16) return false;
    product.factors = onednn::Number::Bf16;
    product.result = c.scalar_type() == torch::kBFloat16 ? onednn::Number::Bf16 : onednn::Number::F32;
    onednn::matmul(product, a.data_ptr(), b.data_ptr(), floats(bias), c.data_ptr());
    return true;
}

void runOn(const ProductShape& shape, const Run& run) { run(kernelFor(shape, run)); }

} // namespace

const char* name(Kernel kernel) { return kKernels[static_cast<std::size_t>(kernel)]; }

std::string toText(const KernelChoices& choices) {
    std::ostringstream text;
    for (const auto& [shape, kernel] : choices)
        text << kProducts[static_cast<std::size_t>(shape.product)] << ' ' << shape.rows << 'x' << shape.in << 'x'
             << shape.out << ' ' << kKernels[static_cast<std::size_t>(kernel)] << '\n';
    return text.str();
}

KernelChoices choicesFromText(const std::string& text) {
    KernelChoices choices;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        char product[32], kernel[32];
        long long rows = 0, in = 0, out = 0;
        if (std::sscanf(line.c_str(), "%31s %lldx%lldx%lld %31s", product, &rows, &in, &out, kernel) != 5) continue;
        const auto* const p = std::find(kProducts.begin(), kProducts.end(), std::string_view(product));
        const auto* const k = std::find(kKernels.begin(), kKernels.end(), std::string_view(kernel));
        if (p == kProducts.end() || k == kKernels.end()) continue;
        const auto which = static_cast<Product>(p - kProducts.begin());
        const auto by = static_cast<Kernel>(k - kKernels.begin());
        if (serves(by, which)) choices[{which, rows, in, out}] = by;
    }
    return choices;
}

void useKernels(KernelMode mode, KernelChoices choices) {
    State& all = state();
    const MutexLock lock(all.mutex);
    all.mode = onednn::available() ? mode : KernelMode::Stock;
    all.table = std::move(choices);
}

KernelMode kernelMode() { return state().mode.load(std::memory_order_relaxed); }

KernelChoices kernelChoices() {
    const MutexLock lock(state().mutex);
    return state().table;
}

void forward(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& bias, torch::Tensor& y) {
    const std::int64_t rows = x.size(0), in = w.size(1), out = w.size(0);
    const onednn::MatrixProduct product{.transposeB = true, .m = rows, .n = out, .k = in};
    if (runBf16(product, x, w, bias, y)) return;
    runOn({Product::Forward, rows, in, out}, [&](Kernel kernel) {
        if (kernel == Kernel::Stock) {
            if (bias.defined()) at::addmm_out(y, bias, x, w.t());
            else at::mm_out(y, x, w.t());
            return;
        }
        if (kernel == Kernel::Matmul)
            return onednn::matmul(product, floats(x), floats(w), floats(bias), y.data_ptr<float>());
        onednn::gemm(product, x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>());
        if (bias.defined()) y.add_(bias);
    });
}

void inputGradient(const torch::Tensor& dy, const torch::Tensor& w, torch::Tensor& dx) {
    const std::int64_t rows = dy.size(0), in = w.size(1), out = w.size(0);
    const onednn::MatrixProduct product{.m = rows, .n = in, .k = out};
    if (runBf16(product, dy, w, {}, dx)) return;
    runOn({Product::InputGradient, rows, in, out}, [&](Kernel kernel) {
        if (kernel == Kernel::Stock) at::mm_out(dx, dy, w);
        else if (kernel == Kernel::Matmul)
            onednn::matmul(product, dy.data_ptr<float>(), w.data_ptr<float>(), nullptr, dx.data_ptr<float>());
        else onednn::gemm(product, dy.data_ptr<float>(), w.data_ptr<float>(), dx.data_ptr<float>());
    });
}

void weightGradient(const torch::Tensor& dy, const torch::Tensor& x, torch::Tensor& dw) {
    const std::int64_t rows = dy.size(0), in = x.size(1), out = dy.size(1);
    const onednn::MatrixProduct product{.transposeA = true, .m = out, .n = in, .k = rows};
    if (runBf16(product, dy, x, {}, dw)) return;
    runOn({Product::WeightGradient, rows, in, out}, [&](Kernel kernel) {
        if (kernel == Kernel::Stock) at::mm_out(dw, dy.t(), x);
        else if (kernel == Kernel::Matmul)
            onednn::matmul(product, dy.data_ptr<float>(), x.data_ptr<float>(), nullptr, dw.data_ptr<float>());
        else onednn::gemm(product, dy.data_ptr<float>(), x.data_ptr<float>(), dw.data_ptr<float>());
    });
}

void runConvolution(const ProductShape& shape, const std::function<void(Kernel)>& run) { runOn(shape, run); }

bool mayBeDirect(const ProductShape& forward, const ProductShape& gradient) {
    State& all = state();
    const KernelMode mode = all.mode.load(std::memory_order_relaxed);
    if (mode == KernelMode::Timing) return true;
    if (mode != KernelMode::Chosen) return false;
    const MutexLock lock(all.mutex);
    return std::any_of(all.table.begin(), all.table.end(), [&](const auto& row) {
        const auto alike = [&](const ProductShape& wanted) {
            return row.first.product == wanted.product && row.first.in == wanted.in && row.first.out == wanted.out;
        };
        return row.second == Kernel::Direct && (alike(forward) || alike(gradient));
    });
}

} // namespace trainyard::kernels
