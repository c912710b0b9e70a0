// SPDX-License-Identifier: GPL-3.0-or-later
// The three matrix products of a linear layer, each by the kernel that is fastest for its shape.
#pragma once

#include <torch/torch.h>

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace trainyard::kernels {

enum class Product : std::uint8_t {
    Forward,       // y[rows, out] = x[rows, in] * w[out, in]^T + b
    InputGradient, // dx[rows, in] = dy[rows, out] * w
    WeightGradient // dw[out, in] = dy^T * x
};
enum class Kernel : std::uint8_t { Stock, Matmul, Gemm }; // LibTorch's own (OpenBLAS, MKL); oneDNN's two

struct ProductShape {
    Product product = Product::Forward;
    std::int64_t rows = 0, in = 0, out = 0;
    auto operator<=>(const ProductShape&) const = default;
};

const char* name(Kernel kernel); // "stock", "matmul", "gemm"

using KernelChoices = std::map<ProductShape, Kernel>;
// "forward 32x784x512 matmul", a line each, and back; lines that cannot be read are left out.
std::string toText(const KernelChoices& choices);
KernelChoices choicesFromText(const std::string& text);

// How this process computes linear layers. Stock leaves them to LibTorch altogether: the same bits as without this
// file. That is the state at the start.
enum class KernelMode : std::uint8_t {
    Stock,
    OneDnn, // oneDNN's matmul for everything
    Chosen, // by the table; a shape that is not in it takes the kernel of the nearest number of rows, else oneDNN's
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

} // namespace trainyard::kernels
