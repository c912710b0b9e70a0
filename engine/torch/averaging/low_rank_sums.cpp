// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/low_rank_sums.h"

#include "engine/torch/averaging/low_rank.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

namespace trainyard::train {
namespace {

const std::string kLeftOutSuffix = ".leftOut", kBasisSuffix = ".basis";
constexpr double kNotFinite = std::numeric_limits<double>::quiet_NaN();

// A gradient that travels as two narrow matrices.
struct Matrix {
    std::string name;
    LowRankShape shape;
    std::int64_t offset = 0, left = 0, right = 0; // in the flat tensor; of its P and its R in what travels
    torch::Tensor basis;

    torch::Tensor in(const torch::Tensor& flat) const {
        return flat.narrow(0, offset, shape.count()).view({shape.rows, shape.columns});
    }
    torch::Tensor leftIn(const torch::Tensor& first) const {
        return first.narrow(0, left, shape.rows * shape.rank).view({shape.rows, shape.rank});
    }
    torch::Tensor rightIn(const torch::Tensor& second) const {
        return second.narrow(0, right, shape.columns * shape.rank).view({shape.columns, shape.rank});
    }
};

// One that travels as it is, behind all P.
struct Vector {
    std::int64_t offset = 0, count = 0, at = 0; // in the flat tensor; in what travels

    torch::Tensor in(const torch::Tensor& flat) const { return flat.narrow(0, offset, count); }
    torch::Tensor inFirst(const torch::Tensor& first) const { return first.narrow(0, at, count); }
};

bool isFinite(const torch::Tensor& tensor) { return torch::isfinite(tensor).all().item<bool>(); }

void orthonormaliseAnywhere(torch::Tensor matrix) {
    auto onCpu = matrix.cpu(); // the same memory where it is there already
    orthonormalise(onCpu);
    if (!matrix.is_cpu()) matrix.copy_(onCpu);
}

// One flat tensor on its way.
class LowRankBucket {
public:
    LowRankBucket(const Flat& flat, std::int64_t rank, std::uint64_t stream) : m_flat(flat.tensor) {
        std::int64_t lefts = 0, rights = 0;
        for (const auto& part : flat.parts) {
            const auto shape = lowRankShape(part.parameter, rank);
            if (!shape) {
                m_vectors.push_back({part.offset, part.parameter.numel(), 0});
                continue;
            }
            m_matrices.push_back({part.name, *shape, part.offset, lefts, rights,
                                  firstBasis(*shape, stream + m_matrices.size()).to(m_flat.device())});
            lefts += shape->rows * shape->rank;
            rights += shape->columns * shape->rank;
        }
        if (m_matrices.empty()) return;
        for (auto& vector : m_vectors) vector.at = std::exchange(lefts, lefts + vector.count);
        m_leftOut = torch::zeros_like(m_flat);
        m_whole = torch::zeros_like(m_flat);
        m_first = torch::empty({lefts}, m_flat.options());
        m_second = torch::empty({rights}, m_flat.options());
    }

    bool hasMatrices() const { return !m_matrices.empty(); }
    bool isGood() const { return m_good; }
    torch::Tensor& flat() { return m_flat; }
    torch::Tensor& first() { return m_first; }
    torch::Tensor& second() { return m_second; }

    // P of this rank, and the vectors, into first().
    void beginStep() {
        m_good = true;
        at::add_out(m_whole, m_leftOut, m_flat);
        for (const auto& matrix : m_matrices) {
            auto left = matrix.leftIn(m_first);
            at::mm_out(left, matrix.in(m_whole), matrix.basis);
        }
        for (const auto& vector : m_vectors) vector.inFirst(m_first).copy_(vector.in(m_flat));
    }

    // first() is the sum: R of this rank into second(), and what this rank's R leaves out. False, on every rank: it has
    // numbers that are not finite, and second() is of no use.
    bool project() {
        m_good = isFinite(m_first);
        if (!m_good) return false;
        for (const auto& matrix : m_matrices) {
            const auto left = matrix.leftIn(m_first);
            auto right = matrix.rightIn(m_second), whole = matrix.in(m_whole);
            orthonormaliseAnywhere(left);
            at::mm_out(right, whole.t(), left);
            whole.addmm_(left, right.t(), 1, -1);
        }
        return true;
    }

    // second() is the sum, if there is one: the sum of the gradients into flat().
    void finish() {
        m_good = m_good && isFinite(m_second);
        if (!m_good) {
            for (const auto& vector : m_vectors) vector.in(m_flat).fill_(kNotFinite);
            for (const auto& matrix : m_matrices) matrix.in(m_flat).fill_(kNotFinite);
            return;
        }
        for (const auto& vector : m_vectors) vector.in(m_flat).copy_(vector.inFirst(m_first));
        for (const auto& matrix : m_matrices) {
            auto into = matrix.in(m_flat);
            multiplyOut(matrix.leftIn(m_first), matrix.rightIn(m_second), into);
        }
    }

    // The step counts: the next one builds on it.
    void carryOver() {
        std::swap(m_leftOut, m_whole);
        for (const auto& vector : m_vectors) vector.in(m_leftOut).zero_();
        for (auto& matrix : m_matrices) {
            matrix.basis.copy_(matrix.rightIn(m_second));
            orthonormaliseAnywhere(matrix.basis);
        }
    }

    // Of all ranks together, from here on in equal parts. Only this sum counts for what comes: all else is linear.
    void shareCarried(const ProcessGroup& group, optim::NamedTensors& carried) {
        auto sum = m_leftOut.clone();
        group.sum(sum);
        dealOut(sum, group.worldSize());
        sum = sum.cpu();
        for (const auto& matrix : m_matrices) {
            carried.emplace_back(matrix.name + kLeftOutSuffix, matrix.in(sum));
            carried.emplace_back(matrix.name + kBasisSuffix, matrix.basis.to(torch::kCPU, torch::kFloat, false, true));
        }
    }

    // What does not fit, as after a change of the rank, begins anew.
    void restore(const optim::NamedTensors& carried, int ranks) {
        auto sum = torch::zeros_like(m_leftOut);
        for (auto& matrix : m_matrices)
            for (const auto& [name, tensor] : carried) {
                if (name == matrix.name + kLeftOutSuffix && tensor.sizes() == matrix.in(sum).sizes())
                    matrix.in(sum).copy_(tensor);
                if (name == matrix.name + kBasisSuffix && tensor.sizes() == matrix.basis.sizes())
                    matrix.basis.copy_(tensor);
            }
        dealOut(sum, ranks);
    }

private:
    void dealOut(const torch::Tensor& sum, int ranks) { m_leftOut.copy_(sum).div_(ranks); }

    torch::Tensor m_flat;
    std::vector<Matrix> m_matrices;
    std::vector<Vector> m_vectors;
    torch::Tensor m_leftOut; // of the gradients so far; zero where the vectors are
    torch::Tensor m_whole;   // the gradients with that, later what is left out of them
    torch::Tensor m_first, m_second;
    bool m_good = true;
};

// Each bucket goes twice. The second times have a group of their own where they may begin before the next bucket's
// first one does: the ranks need not agree on when then.
class LowRankSums final : public CompressedSums {
public:
    LowRankSums(const ProcessGroup& group, const ProcessGroup& second, const CompressionOptions& options,
                const std::vector<Flat>& flats)
        : m_group(group), m_second(second), m_mayAdvance(flats.front().tensor.is_cpu()), m_step(options.step),
          m_works(flats.size()) {
        std::uint64_t stream = 0;
        for (const auto& flat : flats) {
            m_buckets.emplace_back(flat, options.rank, stream);
            stream += flat.parts.size();
            if (m_buckets.back().hasMatrices()) m_buckets.back().restore(options.carried, group.worldSize());
        }
    }

    void start(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        if (index == 0) m_asTheyAre = m_step++ < kStepsBeforeLowRank;
        auto& bucket = m_buckets[index];
        if (goesAsItIs(bucket)) {
            m_works[index] = m_group.startSum(bucket.flat());
            return;
        }
        bucket.beginStep();
        m_works[index] = m_group.startSum(bucket.first());
        m_begun.push_back(index);
    }

    // A loss is left to wait(), whose caller expects one.
    void advance() override {
        while (m_mayAdvance && !m_begun.empty()) {
            auto& work = *m_works[m_begun.front()];
            if (!work.isCompleted() || !work.isSuccess()) return;
            projectNext();
        }
    }

    void wait(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& bucket = m_buckets[index];
        // All first times have begun by now: the second ones go while those of the next buckets still come.
        while (!m_begun.empty()) projectNext();
        if (m_works[index]) (goesAsItIs(bucket) ? m_group : m_second).wait(*m_works[index]);
        m_works[index].reset();
        if (!goesAsItIs(bucket)) bucket.finish();
        if (index + 1 == m_buckets.size() && !m_asTheyAre) carryOver();
    }

    optim::NamedTensors shareCarried() override {
        const torch::NoGradGuard noGrad;
        optim::NamedTensors carried;
        for (auto& bucket : m_buckets)
            if (bucket.hasMatrices()) bucket.shareCarried(m_group, carried);
        return carried;
    }

private:
    bool goesAsItIs(const LowRankBucket& bucket) const { return m_asTheyAre || !bucket.hasMatrices(); }

    // Waits for the oldest bucket that has not gone for the second time.
    void projectNext() {
        const torch::NoGradGuard noGrad;
        const std::size_t index = m_begun.front();
        m_group.wait(*m_works[index]);
        m_begun.pop_front();
        m_works[index].reset();
        if (m_buckets[index].project()) m_works[index] = m_second.startSum(m_buckets[index].second());
    }

    void carryOver() {
        if (!std::all_of(m_buckets.begin(), m_buckets.end(), [](const auto& bucket) { return bucket.isGood(); }))
            return;
        for (auto& bucket : m_buckets)
            if (bucket.hasMatrices()) bucket.carryOver();
    }

    const ProcessGroup m_group, m_second;
    const bool m_mayAdvance;
    std::int64_t m_step;
    bool m_asTheyAre = true; // in this step
    std::vector<LowRankBucket> m_buckets;
    std::vector<c10::intrusive_ptr<c10d::Work>> m_works; // the one that each bucket is waited for; null: none
    std::deque<std::size_t> m_begun;                     // buckets that go for the first time
};

} // namespace

Result<std::unique_ptr<CompressedSums>> makeLowRankSums(const ProcessGroup& group, const CompressionOptions& options,
                                                        const std::vector<Flat>& flats) {
    ProcessGroup second = group;
    if (flats.front().tensor.is_cpu()) {
        std::vector<int> all(static_cast<std::size_t>(group.worldSize()));
        std::iota(all.begin(), all.end(), 0);
        TY_ASSIGN(second, group.subgroup("second", all));
        (void)second.c10d(); // connects now, and not in the middle of the first step
    }
    return std::unique_ptr<CompressedSums>(std::make_unique<LowRankSums>(group, second, options, flats));
}

} // namespace trainyard::train
