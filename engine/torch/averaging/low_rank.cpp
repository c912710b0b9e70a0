// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/low_rank.h"

#include "engine/torch/data/random.h"
#include "engine/torch/kernels/vector_clones.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace trainyard::train {
namespace {

constexpr std::int64_t kLeastSaving = 2; // as PyTorch's hook: min_compression_rate
constexpr double kNothing = 1e-7;        // of a column: what rounding to float32 leaves of it

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// Twice, as the first time leaves its own rounding errors (Giraud, Langou, Rozloznik, 2005).
void removeDirections(Column& column, const std::vector<Column>& directions) {
    for (int round = 0; round < 2; ++round)
        for (const auto& direction : directions) {
            const double part = dot(column, direction);
            for (std::size_t i = 0; i < column.size(); ++i) column[i] -= part * direction[i];
        }
}

// False: next to nothing of it was left.
bool appendDirection(Column column, std::vector<Column>& directions) {
    const double before = std::sqrt(dot(column, column));
    removeDirections(column, directions);
    const double length = std::sqrt(dot(column, column));
    if (!(length > kNothing * before)) return false;
    for (auto& value : column) value /= length;
    directions.push_back(std::move(column));
    return true;
}

// `right` is transposed: rank x columns.
TRAINYARD_VECTOR_CLONES
void multiplyOutLoop(const float* left, const float* right, const LowRankShape& shape, float* into) {
    const std::int64_t columns = shape.columns;
    for (std::int64_t row = 0; row < shape.rows; ++row) {
        float* out = into + row * columns;
        for (std::int64_t k = 0; k < shape.rank; ++k) {
            const float factor = left[row * shape.rank + k];
            const float* from = right + k * columns;
            if (k == 0) {
                TRAINYARD_INDEPENDENT
                for (std::int64_t i = 0; i < columns; ++i) out[i] = factor * from[i];
            } else {
                TRAINYARD_INDEPENDENT
                for (std::int64_t i = 0; i < columns; ++i) out[i] += factor * from[i];
            }
        }
    }
}

} // namespace

std::optional<LowRankShape> lowRankShape(const torch::Tensor& parameter, std::int64_t rank) {
    if (parameter.scalar_type() != torch::kFloat || parameter.dim() < 2 || !parameter.is_non_overlapping_and_dense())
        return {};
    for (std::int64_t d = 0; d < parameter.dim(); ++d) {
        const std::int64_t rows = parameter.size(d), count = parameter.numel();
        if (rows < 1 || parameter.stride(d) * rows != count) continue;
        const LowRankShape shape{rows, count / rows, std::min({rank, rows, count / rows})};
        if ((shape.rows + shape.columns) * shape.rank * kLeastSaving <= count) return shape;
    }
    return {};
}

torch::Tensor firstBasis(const LowRankShape& shape, std::uint64_t stream) {
    data::Random random(0x10c4, stream);
    auto basis = torch::empty({shape.columns, shape.rank});
    auto* values = basis.data_ptr<float>();
    for (std::int64_t i = 0; i < basis.numel(); ++i) values[i] = static_cast<float>(random.uniform(-1, 1));
    orthonormalise(basis);
    return basis;
}

void orthonormalise(torch::Tensor& matrix) {
    auto values = matrix.accessor<float, 2>();
    const auto rows = static_cast<std::size_t>(matrix.size(0));
    data::Random random(0xba515, rows);
    std::vector<Column> directions;
    for (std::int64_t k = 0; k < matrix.size(1); ++k) {
        Column column(rows);
        for (std::size_t i = 0; i < rows; ++i) column[i] = values[static_cast<std::int64_t>(i)][k];
        while (!appendDirection(column, directions))
            for (auto& value : column) value = random.uniform(-1, 1);
        for (std::size_t i = 0; i < rows; ++i)
            values[static_cast<std::int64_t>(i)][k] = static_cast<float>(directions.back()[i]);
    }
}

void multiplyOut(const torch::Tensor& left, const torch::Tensor& right, torch::Tensor& into) {
    if (!into.is_cpu()) {
        at::mm_out(into, left, right.t());
        return;
    }
    const auto across = right.t().contiguous();
    multiplyOutLoop(left.contiguous().data_ptr<float>(), across.data_ptr<float>(),
                    {left.size(0), right.size(0), left.size(1)}, into.data_ptr<float>());
}

} // namespace trainyard::train
