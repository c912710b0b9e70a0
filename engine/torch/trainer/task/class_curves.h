// SPDX-License-Identifier: GPL-3.0-or-later
// How well the probabilities of classes rank the samples, and how far they can be believed. All of it comes from counts
// that add up over batches and ranks.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard::train {

// The samples of a class by what the model says of them, most of all in the last bin: those that are of the class, and
// all others.
struct RankedCounts {
    std::span<const double> positives, negatives;
};

// What such counts tell of one class against the rest, as in scikit-learn 1.2; samples in one bin are tied.
struct ClassCurve {
    static constexpr int kRocPoints = 33;

    double auc = 0;          // roc_auc_score(); a tie counts half. NaN without positives or without negatives
    double prAuc = 0;        // average_precision_score(); NaN without positives
    std::vector<double> roc; // share of positives found where a share of (i / 32)² of the negatives is; empty like auc
};
ClassCurve curveOf(const RankedCounts& counts);

// Rule: from which probability on a label is given.
// The bin from which on the F1 of the label is the best, midway to the samples below that are not given it; of several
// that are as good the highest. `usual` where there are no positives, and at most that where all samples are given it.
std::int64_t bestBin(const RankedCounts& counts, std::int64_t usual);

// The sums for the curves of all classes: one of the parts of an evaluation's sums.
class RankSums {
public:
    // 4,096 bins for each of up to 128 classes, fewer for more, none for more than 1,000.
    explicit RankSums(std::int64_t classes);
    std::int64_t size() const { return 2 * m_classes * m_bins; } // 0: none
    // Adds a batch to `sums` (double [size()]). `probabilities` float [B, classes]; `positives` the same, 1 or 0.
    void add(torch::Tensor sums, const torch::Tensor& probabilities, const torch::Tensor& positives) const;
    // Of one class, in sums on the CPU.
    RankedCounts of(std::span<const double> sums, std::int64_t classOf) const;
    // The probability at the lower edge of a bin, and the bin whose lower edge is the nearest to a probability.
    double probabilityAt(std::int64_t bin) const;
    std::int64_t binOf(double probability) const;

private:
    std::int64_t m_classes, m_bins;
};

// The mean of the values that there are.
class MeanOf {
public:
    void add(double value) {
        if (!(value - value == 0)) return; // NaN or infinite
        m_sum += value;
        ++m_count;
    }
    double value() const { return m_sum / m_count; } // NaN: there are none

private:
    double m_sum = 0, m_count = 0;
};

// Predictions whose probabilities are alike.
struct ReliabilityBin {
    double confidence = 0, accuracy = 0; // means of the bin
    double samples = 0;
};

// The sums for calibration: of fifteen bins of the probability of what was predicted, each open below and closed above.
class CalibrationSums {
public:
    static constexpr std::int64_t kBins = 15;
    static constexpr std::int64_t kSize = 3 * kBins;
    // Adds a batch to `sums` (double [kSize]): `confidence` float [n] of what was predicted, `right` [n] bool.
    static void add(torch::Tensor sums, const torch::Tensor& confidence, const torch::Tensor& right);
    // Bins without predictions are left out.
    static std::vector<ReliabilityBin> binsOf(std::span<const double> sums);
};

// Expected calibration error: how far accuracy and confidence lie apart, a mean over the samples (Guo et al., On
// Calibration of Modern Neural Networks, 2017, arXiv:1706.04599). NaN without samples.
double calibrationError(const std::vector<ReliabilityBin>& bins);

// Where a share lies with 95 % probability, as `right` of `samples` were found (Wilson, 1927).
struct Interval {
    double low = 0, high = 1;
};
Interval wilsonInterval(double right, double samples);

// What the counts of each class tell of all predictions together.
struct ClassCounts {
    std::span<const double> right, predicted, present;
};
// Mean recall of the classes that occur (balanced_accuracy_score). NaN without samples.
double balancedAccuracy(const ClassCounts& counts);
// Agreement beyond chance (cohen_kappa_score), and Matthews' correlation (matthews_corrcoef). 0 where one class alone
// was predicted or occurs, so that nothing can be told; of kappa 1 if it is the same one.
double cohensKappa(const ClassCounts& counts);
double matthewsCorrelation(const ClassCounts& counts);

} // namespace trainyard::train
