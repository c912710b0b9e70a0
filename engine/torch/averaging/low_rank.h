// SPDX-License-Identifier: GPL-3.0-or-later
// The mathematics of PowerSGD, without any transport (Vogels, Karimireddy, Jaggi, PowerSGD: Practical Low-Rank Gradient
// Compression for Distributed Optimization, 2019, arXiv:1905.13727). A gradient M of n x m travels as two narrow
// matrices: P = M Q and, with P made orthonormal, R = M^T P. What all then take for M is P R^T, and R is the Q of the
// next step: one step of a power iteration each time.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>

namespace trainyard::train {

// A gradient as a matrix of rows x columns in the order of its memory, and the columns to send.
struct LowRankShape {
    std::int64_t rows = 0, columns = 0, rank = 0;

    std::int64_t count() const { return rows * columns; }
    bool operator==(const LowRankShape&) const = default;
};

// How the gradient of a parameter travels: its outermost dimension in memory are the rows, the others together the
// columns. Nothing where it travels as it is: no float32, less than two dimensions, memory with gaps, or less than half
// of the numbers saved.
std::optional<LowRankShape> lowRankShape(const torch::Tensor& parameter, std::int64_t rank);

// columns x rank, orthonormal and pseudo-random, the same in every process for one `stream`: the first Q.
torch::Tensor firstBasis(const LowRankShape& shape, std::uint64_t stream);

// Makes the columns of a finite float32 matrix on the CPU, with at least as many rows as columns, orthonormal in place.
// A column that is zero, or that those before it make up, becomes another direction: it finds what there is to find
// there, where zero would stay zero in every step after. The same bits on every processor.
void orthonormalise(torch::Tensor& matrix);

// into = left right^T, float32, where `into` is rows x columns and contiguous. On the CPU the same bits on every
// processor: each host computes it for itself, and the weights must not drift apart.
void multiplyOut(const torch::Tensor& left, const torch::Tensor& right, torch::Tensor& into);

} // namespace trainyard::train
