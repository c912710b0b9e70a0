// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/diff_checkpoints.h"

#include "engine/run/actions/tensor_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace trainyard::run {
namespace {

constexpr std::size_t kPiece = 1U << 15; // values at a time

struct Pair {
    const store::TensorInfo *first = nullptr, *second = nullptr;
};

// One of the two files with the values of the piece that is looked at.
struct Side {
    const TensorSource& file;
    const store::TensorInfo* tensor;
    std::vector<double> piece{};

    std::int64_t values() const {
        std::int64_t count = 1;
        for (const auto size : tensor->shape) count *= size;
        return count;
    }
    Result<void> read(std::size_t first, std::size_t count) {
        piece.resize(count);
        return file.read(*tensor, first, piece);
    }
};

// The tensors by their names; those of a model under its own.
std::map<std::string, Pair> pairsOf(const TensorSource& first, const TensorSource& second, bool withOptimizer) {
    std::map<std::string, Pair> pairs;
    for (const auto& [name, tensor] : first.compared(withOptimizer)) pairs[name].first = tensor;
    for (const auto& [name, tensor] : second.compared(withOptimizer)) pairs[name].second = tensor;
    return pairs;
}

// What of a tensor's values is added up in the first pass.
struct Sums {
    double squares = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    std::int64_t notFinite = 0;
    void add(double value) {
        if (!std::isfinite(value)) {
            ++notFinite;
            return;
        }
        squares += value * value;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

void count(std::array<std::int64_t, TensorDiff::kBins>& bins, const TensorDiff& diff,
           const std::vector<double>& piece) {
    const double width = diff.high - diff.low;
    for (const double value : piece) {
        if (!std::isfinite(value)) continue;
        const double place = width > 0 ? (value - diff.low) / width * TensorDiff::kBins : 0.0;
        ++bins[std::min(static_cast<std::size_t>(std::max(0.0, place)), TensorDiff::kBins - 1)];
    }
}

// Compares two tensors of one shape, or measures the one that there is.
class TensorWalk {
public:
    using Tick = std::function<bool(std::size_t values)>;
    TensorWalk(std::vector<Side*> sides, TensorDiff& diff, Tick tick)
        : m_sides(std::move(sides)), m_diff(diff), m_tick(std::move(tick)) {}

    // False: it was to end.
    Result<bool> run() {
        std::vector<Sums> sums(m_sides.size());
        double squares = 0;
        TY_ASSIGN(const bool measured, each([&] {
                      for (std::size_t side = 0; side < m_sides.size(); ++side)
                          for (const double value : m_sides[side]->piece) sums[side].add(value);
                      if (m_sides.size() == 2) squares += compare();
                  }));
        if (!measured) return false;
        m_diff.differenceNorm = std::sqrt(squares);
        Sums both;
        for (const Sums& one : sums) {
            both.low = std::min(both.low, one.low);
            both.high = std::max(both.high, one.high);
            m_diff.notFinite += one.notFinite;
        }
        const bool firstIsThere = m_diff.state != TensorDiff::State::OnlySecond;
        (firstIsThere ? m_diff.norm : m_diff.otherNorm) = std::sqrt(sums[0].squares);
        if (sums.size() == 2) m_diff.otherNorm = std::sqrt(sums[1].squares);
        if (both.low > both.high) return true; // nothing finite
        m_diff.low = both.low;
        m_diff.high = both.high;
        return each([&] {
            count(firstIsThere ? m_diff.histogram : m_diff.otherHistogram, m_diff, m_sides[0]->piece);
            if (m_sides.size() == 2) count(m_diff.otherHistogram, m_diff, m_sides[1]->piece);
        });
    }

private:
    template <class Do>
    Result<bool> each(Do take) {
        const auto values = static_cast<std::size_t>(m_sides[0]->values());
        for (std::size_t at = 0; at < values; at += kPiece) {
            const std::size_t size = std::min(kPiece, values - at);
            for (Side* side : m_sides) TY_TRY(side->read(at, size));
            take();
            if (!m_tick(size)) return false;
        }
        return true;
    }
    // The squares of the differences in this piece.
    double compare() {
        double squares = 0;
        for (std::size_t i = 0; i < m_sides[0]->piece.size(); ++i) {
            const double a = m_sides[0]->piece[i], b = m_sides[1]->piece[i];
            if (a == b || (std::isnan(a) && std::isnan(b))) continue;
            ++m_diff.changed;
            const double difference = std::abs(b - a);
            if (!std::isfinite(difference)) continue;
            squares += difference * difference;
            m_diff.greatest = std::max(m_diff.greatest, difference);
        }
        return squares;
    }

    std::vector<Side*> m_sides;
    TensorDiff& m_diff;
    Tick m_tick;
};

TensorDiff described(const std::string& name, const Pair& pair) {
    using State = TensorDiff::State;
    TensorDiff diff{.name = name};
    if (pair.first) {
        diff.dtype = pair.first->dtype;
        diff.shape = pair.first->shape;
    }
    if (pair.second) {
        diff.otherDtype = pair.second->dtype;
        diff.otherShape = pair.second->shape;
    }
    if (!pair.second) diff.state = State::OnlyFirst;
    else if (!pair.first) diff.state = State::OnlySecond;
    else if (diff.shape != diff.otherShape) diff.state = State::Reshaped;
    return diff;
}

// False: it was to end.
Result<bool> fill(TensorDiff& diff, std::vector<Side>& sides, const TensorWalk::Tick& tick) {
    for (const Side& side : sides) TY_TRY(side.file.check(*side.tensor));
    diff.values = sides.front().values();
    if (diff.state == TensorDiff::State::Reshaped) { // each for itself
        TensorDiff second{.name = diff.name, .state = TensorDiff::State::OnlySecond};
        TY_ASSIGN(const bool one, TensorWalk({&sides[0]}, diff, tick).run());
        TY_ASSIGN(const bool both, one ? TensorWalk({&sides[1]}, second, tick).run() : Result<bool>(false));
        if (!both) return false;
        diff.otherNorm = second.otherNorm;
        diff.notFinite += second.notFinite;
        diff.changed = diff.values;
        return true;
    }
    std::vector<Side*> all;
    for (Side& side : sides) all.push_back(&side);
    TY_ASSIGN(const bool compared, TensorWalk(std::move(all), diff, tick).run());
    if (!compared) return false;
    if (sides.size() == 2 && (diff.changed > 0 || diff.dtype != diff.otherDtype))
        diff.state = TensorDiff::State::Changed;
    return true;
}

void addUp(CheckpointDiff& diff) {
    double norm = 0, other = 0, difference = 0;
    for (const TensorDiff& each : diff.tensors) {
        if (each.state != TensorDiff::State::Same) ++diff.differing;
        if (each.state != TensorDiff::State::Same && each.state != TensorDiff::State::Changed) continue;
        norm += each.norm * each.norm;
        other += each.otherNorm * each.otherNorm;
        difference += each.differenceNorm * each.differenceNorm;
        diff.all.values += each.values;
        diff.all.changed += each.changed;
        diff.all.notFinite += each.notFinite;
        diff.all.greatest = std::max(diff.all.greatest, each.greatest);
    }
    diff.all.norm = std::sqrt(norm);
    diff.all.otherNorm = std::sqrt(other);
    diff.all.differenceNorm = std::sqrt(difference);
    diff.all.state = diff.differing == 0 ? TensorDiff::State::Same : TensorDiff::State::Changed;
}

} // namespace

double TensorDiff::relative() const {
    if (differenceNorm == 0) return 0;
    return norm > 0 ? differenceNorm / norm : std::numeric_limits<double>::infinity();
}

const char* toString(TensorDiff::State state) {
    switch (state) {
    case TensorDiff::State::Same: return "same";
    case TensorDiff::State::Changed: return "changed";
    case TensorDiff::State::Reshaped: return "reshaped";
    case TensorDiff::State::OnlyFirst: return "only first";
    case TensorDiff::State::OnlySecond: return "only second";
    }
    return "";
}

Result<CheckpointDiff> diffCheckpoints(const std::filesystem::path& first, const std::filesystem::path& second,
                                       const DiffOptions& options) {
    TY_ASSIGN(const auto a, TensorSource::open(first));
    TY_ASSIGN(const auto b, TensorSource::open(second));
    const auto pairs = pairsOf(a, b, options.withOptimizer);
    if (std::none_of(pairs.begin(), pairs.end(),
                     [](const auto& each) { return each.second.first && each.second.second; }))
        return inputError("has no tensor in common with " + second.string(), first.string(),
                          "compare checkpoints of the same model");
    CheckpointDiff diff;
    diff.step = a.step();
    diff.otherStep = b.step();
    double total = 0, done = 0;
    for (const auto& [name, pair] : pairs)
        for (const auto* tensor : {pair.first, pair.second})
            if (tensor) total += static_cast<double>(tensor->end - tensor->begin);
    for (const auto& [name, pair] : pairs) {
        diff.tensors.push_back(described(name, pair));
        std::vector<Side> sides;
        double bytes = 0;
        for (const auto& [file, tensor] : {std::pair(&a, pair.first), std::pair(&b, pair.second)})
            if (tensor) {
                sides.push_back({*file, tensor});
                bytes += static_cast<double>(tensor->end - tensor->begin);
            }
        const double perValue = bytes / 2 / std::max(1.0, static_cast<double>(sides.front().values())); // two passes
        double within = 0;
        TY_ASSIGN(const bool goesOn, fill(diff.tensors.back(), sides, [&](std::size_t values) {
                      within = std::min(bytes, within + perValue * static_cast<double>(values));
                      return !options.goesOn || options.goesOn((done + within) / std::max(1.0, total));
                  }));
        if (!goesOn) return stoppedError("the comparison was cancelled");
        for (const Side& side : sides) side.file.release(*side.tensor);
        done += bytes;
    }
    addUp(diff);
    return diff;
}

} // namespace trainyard::run
