// SPDX-License-Identifier: GPL-3.0-or-later
// The products that layers are made of, each by the kernel that is fastest for its shape: the three matrix products of
// a linear layer, and a convolution that needs no gradient of its input.
#pragma once

#include <torch/torch.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace trainyard::kernels {

enum class Product : std::uint8_t {
    Forward,        // y[rows, out] = x[rows, in] * w[out, in]^T + b
    InputGradient,  // dx[rows, in] = dy[rows, out] * w
    WeightGradient, // dw[out, in] = dy^T * x
    // As the products that they amount to: rows are the pixels of the result, in the numbers below a filter.
    Convolution,
    ConvolutionGradient // of weight and bias
};
// LibTorch's own (OpenBLAS, MKL, oneDNN's convolutions); oneDNN's two for matrices; our loops for convolutions.
enum class Kernel : std::uint8_t { Stock, Matmul, Gemm, Direct };

// The shapes of one matrix product.
struct ProductShape {
    Product product = Product::Forward;
    std::int64_t rows = 0, in = 0, out = 0;
    auto operator<=>(const ProductShape&) const = default;
};

const char* name(Kernel kernel); // "stock", "matmul", "gemm", "direct"

using KernelChoices = std::map<ProductShape, Kernel>;
// "forward 32x784x512 matmul", a line each, and back; lines that cannot be read are left out.
std::string toText(const KernelChoices& choices);
KernelChoices choicesFromText(const std::string& text);

// How this process computes those layers. Stock leaves them to LibTorch altogether: the same bits as without this
// file. That is the state at the start.
enum class KernelMode : std::uint8_t {
    Stock,
    OneDnn, // oneDNN's matmul for every matrix product; convolutions are LibTorch's
    Chosen, // by the table; a shape that is not in it takes the kernel of the nearest number of rows, else oneDNN's for
            // matrices and LibTorch's for convolutions
    Timing  // as Chosen, but a shape that is not in the table is timed on the spot (about 1 ms) and entered
};
// Any thread, but not while layers are computed. Without oneDNN the mode stays Stock.
void useKernels(KernelMode mode, KernelChoices choices = {});
KernelMode kernelMode();
KernelChoices kernelChoices();

// On the CPU, dense, all float32; or x, w, dy, y and dx bfloat16 (oneDNN's, whatever the mode), while the bias and dw
// stay float32. `bias` may be undefined. The result is written into `y`, `dx` or `dw`.
void forward(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& bias, torch::Tensor& y);
void inputGradient(const torch::Tensor& dy, const torch::Tensor& w, torch::Tensor& dx);
void weightGradient(const torch::Tensor& dy, const torch::Tensor& x, torch::Tensor& dw);

// Calls `run` with Stock or Direct; several times when it is timed.
void runConvolution(const ProductShape& shape, const std::function<void(Kernel)>& run);
// Whether one of a convolution's two products is still to be timed, or is faster with our loops.
bool mayBeDirect(const ProductShape& forward, const ProductShape& gradient);

} // namespace trainyard::kernels
