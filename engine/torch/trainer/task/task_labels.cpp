// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"
#include "engine/torch/trainer/task/class_curves.h"
#include "engine/torch/trainer/task/task.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

using nlohmann::json;

constexpr std::int64_t kExampleLabels = 16; // of a sample that is named
constexpr std::int64_t kLabelNumbers = 3;   // of the sums, before the curves
constexpr std::int64_t kCurvesOfLabels = 100;

// What is given and what is there, of one label or of all together.
struct Found {
    double right = 0, given = 0, present = 0;

    double precision() const { return given > 0 ? right / given : 0; }
    double recall() const { return present > 0 ? right / present : 0; }
    double f1() const { return given + present > 0 ? 2 * right / (given + present) : 0; }
    bool occurs() const { return given + present > 0; }
    void add(const Found& other) {
        right += other.right;
        given += other.given;
        present += other.present;
    }
};

// The samples from a bin on are given the label.
Found foundFrom(std::int64_t bin, const RankedCounts& counts) {
    Found found;
    for (std::size_t i = 0; i < counts.positives.size(); ++i) {
        const bool given = static_cast<std::int64_t>(i) >= bin;
        found.present += counts.positives[i];
        found.right += given ? counts.positives[i] : 0;
        found.given += given ? counts.positives[i] + counts.negatives[i] : 0;
    }
    return found;
}

// Sums: loss, samples, squared distances of the probabilities from the truth; then those of the curves, by which the
// labels at any threshold are known.
class Labels final : public Task {
public:
    Labels(optim::Loss loss, const data::Dataset& dataset)
        : Task(std::move(loss)), m_labels(dataset.classes), m_names(dataset.classNames), m_ranks(m_labels) {}

    std::vector<std::string> trainSeries() const override { return {"train/loss", "train/accuracy"}; }
    // The accuracy is the share of all labels that are rightly given or not, from probability 0.5 on; of targets that
    // are shares, by their larger part.
    torch::Tensor trainSums(const torch::Tensor& meanLoss, const torch::Tensor& outputs,
                            const torch::Tensor& targets) const override {
        const torch::Tensor weight = m_loss.weight(targets);
        const torch::Tensor right =
            (outputs.detach() > 0).eq(targets.reshape(outputs.sizes()) > 0.5).to(torch::kFloat64).mean(1).sum();
        return torch::stack({meanLoss.detach().to(torch::kFloat64) * weight, weight, right, weight});
    }
    std::vector<double> trainMetrics(const std::vector<double>& sums) const override {
        return {sums[0] / sums[1], sums[2] / sums[3]};
    }

    torch::Tensor zeroSums(const torch::Device& device) const override {
        return torch::zeros({kLabelNumbers + m_ranks.size()}, torch::TensorOptions(torch::kFloat64).device(device));
    }

    void add(torch::Tensor& sums, const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const torch::Tensor probabilities = m_loss.probabilities(outputs), truth = targets.reshape(outputs.sizes());
        sums[0] += m_loss.validationSum(outputs, targets).to(torch::kFloat64);
        sums[1] += static_cast<double>(outputs.size(0));
        sums[2] += (probabilities - truth).square().mean(1).sum(torch::kFloat64);
        m_ranks.add(sums.narrow(0, kLabelNumbers, m_ranks.size()), probabilities, truth);
    }

    torch::Tensor judge(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const std::int64_t shown = std::min(m_labels, kExampleLabels);
        return torch::cat({m_loss.ofEach(outputs, targets).unsqueeze(1).to(torch::kFloat64),
                           targets.reshape(outputs.sizes()).narrow(1, 0, shown).to(torch::kFloat64),
                           m_loss.probabilities(outputs).narrow(1, 0, shown).to(torch::kFloat64)},
                          1);
    }

    run::Example example(std::int64_t index, std::span<const double> judged) const override {
        return exampleOfNumbers(index, judged);
    }

    Evaluation evaluate(const torch::Tensor& sums, const std::vector<run::Example>& examples) const override {
        const std::span<const double> numbers(sums.data_ptr<double>(), static_cast<std::size_t>(sums.numel()));
        const auto ranked = numbers.subspan(static_cast<std::size_t>(kLabelNumbers));
        const double samples = numbers[1], loss = numbers[0] / samples;
        Evaluation result;
        MeanOf map, auc, precision, recall, f1;
        Found all;
        json labels = json::array();
        for (std::int64_t k = 0; k < m_labels; ++k) {
            const RankedCounts counts = m_ranks.of(ranked, k);
            const auto at = static_cast<std::size_t>(k);
            const std::int64_t bin =
                at < m_thresholds.size() ? m_ranks.binOf(m_thresholds[at]) : bestBin(counts, m_ranks.binOf(0.5));
            const double threshold = at < m_thresholds.size() ? m_thresholds[at] : m_ranks.probabilityAt(bin);
            const Found found = foundFrom(bin, counts);
            const ClassCurve curve = curveOf(counts);
            map.add(curve.prAuc);
            auc.add(curve.auc);
            all.add(found);
            if (found.occurs()) {
                precision.add(found.precision());
                recall.add(found.recall());
                f1.add(found.f1());
            }
            result.thresholds.push_back(threshold);
            labels.push_back({{"name", nameOf(at)},
                              {"precision", found.precision()},
                              {"recall", found.recall()},
                              {"f1", found.f1()},
                              {"samples", found.present},
                              {"threshold", threshold},
                              {"auc", curve.auc},
                              {"prAuc", curve.prAuc}});
            if (m_labels <= kCurvesOfLabels && !curve.roc.empty()) labels.back()["roc"] = curve.roc;
        }
        // Wrong are those that are given or there, and not both.
        const double wrong = all.given + all.present - 2 * all.right;
        json object = {{"task", "multi-label"}, {"samples", samples}, {"loss", loss}};
        const std::pair<const char*, double> metrics[] = {
            {"map", map.value()},
            {"auc", auc.value()},
            {"precision", precision.value()},
            {"recall", recall.value()},
            {"f1", f1.value()},
            {"microF1", all.f1()},
            {"brier", numbers[2] / samples},
            {"accuracy", 1 - wrong / (samples * static_cast<double>(m_labels))}};
        result.series["val/loss"] = loss;
        for (const auto& [name, value] : metrics) {
            object[name] = value;
            if (samples == 0 || std::isfinite(value)) result.series["val/" + std::string(name)] = value;
        }
        object["classes"] = std::move(labels);
        object["examples"] = parseSortedJson(run::examplesToJson(examples));
        result.json = jsonText(object);
        return result;
    }

private:
    std::string nameOf(std::size_t k) const { return k < m_names.size() ? m_names[k] : std::to_string(k); }

    const std::int64_t m_labels;
    const std::vector<std::string> m_names;
    const RankSums m_ranks;
};

} // namespace

std::unique_ptr<Task> makeLabels(optim::Loss loss, const data::Dataset& dataset) {
    return std::make_unique<Labels>(std::move(loss), dataset);
}

} // namespace trainyard::train
