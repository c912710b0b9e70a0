// SPDX-License-Identifier: GPL-3.0-or-later
// oneDNN's matrix products, called directly: LibTorch reaches them for no fp32 layer. Without the library (see
// CMakeLists.txt) available() is false and nothing else may be called.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::kernels::onednn {

bool available();
std::string version(); // "2.6.3"; empty without the library

// Whether this processor multiplies bfloat16 numbers at all.
bool hasBf16();

enum class Number { F32, Bf16 };

// c[m, n] = op(a)[m, k] * op(b)[k, n] (+ bias[n] to each row); all row-major and dense. `transposeA`: a lies as [k, m].
struct MatrixProduct {
    bool transposeA = false, transposeB = false;
    std::int64_t m = 0, n = 0, k = 0;
    Number factors = Number::F32, result = Number::F32; // a and b; c. Sums are kept in float32 either way
    auto operator<=>(const MatrixProduct&) const = default;
};

// A matmul primitive, made once for each shape and thread and kept. `bias` may be null. Throws dnnl::error (a
// std::exception) when the library refuses.
void matmul(const MatrixProduct& product, const void* a, const void* b, const float* bias, void* c);
// dnnl_sgemm: float32, no preparation, without a bias. Throws std::runtime_error when the library refuses.
void gemm(const MatrixProduct& product, const float* a, const float* b, float* c);

// Products by weights that never change again, laid out as the library likes them for the rows that it is made for:
// c[rows, out] = a[rows, in] * weights[out, in]^T (+ bias[out] to each row), all row-major and dense.
class KeptWeights {
public:
    // `rows`: what run() may be given. Copies the weights, mostly once. Throws as matmul().
    KeptWeights(const float* weights, std::int64_t out, std::int64_t in, const std::vector<std::int64_t>& rows);
    ~KeptWeights();
    // `bias` may be null.
    void run(std::int64_t rows, const float* a, const float* bias, float* c);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::kernels::onednn
