// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/task/class_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace trainyard::train {
namespace {

constexpr std::int64_t kMostBins = 4096, kMostCounts = std::int64_t{1} << 19, kMostRankedClasses = 1000;
// Bins are of equal width in log odds, which tell probabilities near 0 and 1 apart as far as float32 does.
constexpr double kLogOdds = 16;

double totalOf(std::span<const double> counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

// The share of positives found, where that of negatives is as wanted: between two points of the curve on a straight
// line. `x` and `y` grow together from 0 to 1.
std::vector<double> sampled(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> points;
    std::size_t at = 0;
    for (int i = 0; i < ClassCurve::kRocPoints; ++i) {
        const double root = static_cast<double>(i) / (ClassCurve::kRocPoints - 1), wanted = root * root;
        while (at + 1 < x.size() && x[at + 1] <= wanted) ++at;
        double value = y[at];
        if (at + 1 < x.size()) value += (y[at + 1] - y[at]) * (wanted - x[at]) / (x[at + 1] - x[at]);
        points.push_back(std::round(value * 1e5) / 1e5);
    }
    return points;
}

} // namespace

ClassCurve curveOf(const RankedCounts& counts) {
    const double positives = totalOf(counts.positives), negatives = totalOf(counts.negatives);
    ClassCurve curve;
    double found = 0, wrong = 0, area = 0, precision = 0;
    std::vector<double> x{0}, y{0};
    for (std::size_t bin = counts.positives.size(); bin-- > 0;) {
        const double more = counts.positives[bin], others = counts.negatives[bin];
        if (more == 0 && others == 0) continue;
        area += others * (found + more / 2);
        found += more;
        wrong += others;
        precision += more * found / (found + wrong);
        x.push_back(wrong / std::max(negatives, 1.0));
        y.push_back(found / std::max(positives, 1.0));
    }
    const bool ranks = positives > 0 && negatives > 0;
    curve.auc = ranks ? area / (positives * negatives) : std::nan("");
    curve.prAuc = positives > 0 ? precision / positives : std::nan("");
    if (ranks) curve.roc = sampled(x, y);
    return curve;
}

std::int64_t bestBin(const RankedCounts& counts, std::int64_t usual) {
    const double present = std::accumulate(counts.positives.begin(), counts.positives.end(), 0.0);
    double right = 0, given = 0, best = 0;
    std::int64_t from = usual;
    std::optional<std::size_t> open; // the bin from which on the best is, until the one below it is known
    for (std::size_t bin = counts.positives.size(); bin-- > 0;) {
        const double positives = counts.positives[bin], all = positives + counts.negatives[bin];
        if (all == 0) continue;
        if (open) from = static_cast<std::int64_t>((*open + bin + 1) / 2);
        open.reset();
        right += positives;
        given += all;
        if (const double f1 = 2 * right / (given + present); f1 > best) {
            best = f1;
            open = bin;
        }
    }
    if (open) from = std::min(usual, static_cast<std::int64_t>(*open)); // all samples are given it
    return from;
}

RankSums::RankSums(std::int64_t classes) : m_classes(classes), m_bins(kMostBins) {
    while (m_classes * m_bins > kMostCounts) m_bins /= 2;
    if (classes > kMostRankedClasses) m_bins = 0;
}

void RankSums::add(torch::Tensor sums, const torch::Tensor& probabilities, const torch::Tensor& positives) const {
    if (m_bins == 0 || probabilities.numel() == 0) return;
    const double perUnit = static_cast<double>(m_bins) / (2 * kLogOdds);
    torch::Tensor index = torch::logit(probabilities.to(torch::kFloat64).nan_to_num(0.0)).clamp_(-kLogOdds, kLogOdds);
    index = index.add_(kLogOdds).mul_(perUnit).to(torch::kInt64).clamp_(0, m_bins - 1);
    index += torch::arange(m_classes, index.options()) * m_bins;
    index += positives.to(torch::kInt64) * (m_classes * m_bins); // negatives first
    index = index.flatten();
    sums.scatter_add_(0, index, torch::ones({1}, sums.options()).expand({index.size(0)}));
}

RankedCounts RankSums::of(std::span<const double> sums, std::int64_t classOf) const {
    const auto bins = static_cast<std::size_t>(m_bins), begin = static_cast<std::size_t>(classOf) * bins;
    return {.positives = sums.subspan(sums.size() / 2 + begin, bins), .negatives = sums.subspan(begin, bins)};
}

std::int64_t RankSums::binOf(double probability) const {
    const double odds = std::clamp(std::log(probability / (1 - probability)), -kLogOdds, kLogOdds);
    const double place = (odds + kLogOdds) / (2 * kLogOdds) * static_cast<double>(m_bins);
    return std::min(m_bins, static_cast<std::int64_t>(std::llround(place)));
}

double RankSums::probabilityAt(std::int64_t bin) const {
    const double odds = -kLogOdds + 2 * kLogOdds * static_cast<double>(bin) / static_cast<double>(m_bins);
    return 1 / (1 + std::exp(-odds));
}

void CalibrationSums::add(torch::Tensor sums, const torch::Tensor& confidence, const torch::Tensor& right) {
    const torch::Tensor sure = confidence.to(torch::kFloat64).nan_to_num(0.0).flatten();
    const torch::Tensor bin =
        sure.mul(static_cast<double>(kBins)).ceil_().to(torch::kInt64).sub_(1).clamp_(0, kBins - 1);
    sums.narrow(0, 0, kBins).scatter_add_(0, bin, torch::ones_like(sure));
    sums.narrow(0, kBins, kBins).scatter_add_(0, bin, sure);
    sums.narrow(0, 2 * kBins, kBins).scatter_add_(0, bin, right.flatten().to(torch::kFloat64));
}

std::vector<ReliabilityBin> CalibrationSums::binsOf(std::span<const double> sums) {
    std::vector<ReliabilityBin> bins;
    const auto count = static_cast<std::size_t>(kBins);
    for (std::size_t i = 0; i < count; ++i)
        if (const double samples = sums[i]; samples > 0)
            bins.push_back({.confidence = sums[count + i] / samples,
                            .accuracy = sums[2 * count + i] / samples,
                            .samples = samples});
    return bins;
}

double calibrationError(const std::vector<ReliabilityBin>& bins) {
    double apart = 0, samples = 0;
    for (const ReliabilityBin& bin : bins) {
        apart += bin.samples * std::abs(bin.accuracy - bin.confidence);
        samples += bin.samples;
    }
    return apart / samples;
}

Interval wilsonInterval(double right, double samples) {
    constexpr double kDeviations = 1.959963984540054; // of a normal distribution: 95 % lie within
    if (samples <= 0) return {};
    const double share = right / samples, z2 = kDeviations * kDeviations;
    const double middle = (share + z2 / (2 * samples)) / (1 + z2 / samples);
    const double half =
        kDeviations / (1 + z2 / samples) * std::sqrt(share * (1 - share) / samples + z2 / (4 * samples * samples));
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double balancedAccuracy(const ClassCounts& counts) {
    double recall = 0, occurring = 0;
    for (std::size_t c = 0; c < counts.present.size(); ++c) {
        if (counts.present[c] == 0) continue;
        recall += counts.right[c] / counts.present[c];
        ++occurring;
    }
    return recall / occurring;
}

double cohensKappa(const ClassCounts& counts) {
    const double samples = totalOf(counts.present), right = totalOf(counts.right) / samples;
    const double chance =
        std::inner_product(counts.present.begin(), counts.present.end(), counts.predicted.begin(), 0.0) /
        (samples * samples);
    if (chance == 1) return 1;
    return (right - chance) / (1 - chance);
}

double matthewsCorrelation(const ClassCounts& counts) {
    const double samples = totalOf(counts.present), right = totalOf(counts.right);
    const auto products = [](std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    const double together = right * samples - products(counts.predicted, counts.present);
    const double spread = (samples * samples - products(counts.predicted, counts.predicted)) *
                          (samples * samples - products(counts.present, counts.present));
    return spread > 0 ? together / std::sqrt(spread) : 0;
}

} // namespace trainyard::train
