// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/task/task.h"

#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/trainer/task/class_curves.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace trainyard::train {
namespace {

using nlohmann::json;

// Learns which of several answers is right, for samples or for the places of a text.
class RightOrWrong : public Task {
public:
    explicit RightOrWrong(optim::Loss loss) : Task(std::move(loss)) {}
    std::vector<std::string> trainSeries() const override { return {"train/loss", "train/accuracy"}; }
    torch::Tensor trainSums(const torch::Tensor& meanLoss, const torch::Tensor& outputs,
                            const torch::Tensor& targets) const override {
        // Of shares of classes, the largest is what a sample shows.
        const torch::Tensor truth = targets.is_floating_point() ? targets.argmax(-1) : targets;
        const torch::Tensor right = outputs.detach().argmax(-1).eq(truth).sum();
        const auto units = static_cast<double>(truth.numel());
        if (meanLoss.device().is_cpu()) { // in every step: without a tensor for each number
            const double weight = m_loss.weighsClasses() ? m_loss.weight(targets).item<double>() : units;
            return torch::tensor({meanLoss.item<double>() * weight, weight, right.item<double>(), units},
                                 torch::kFloat64);
        }
        return sumsOnDevice(meanLoss.detach(), right, targets, units);
    }
    std::vector<double> trainMetrics(const std::vector<double>& sums) const override {
        return {sums[0] / sums[1], sums[2] / sums[3]};
    }

private:
    // By few kernels: to start one takes longer than its work. What steps of as many samples share is kept.
    torch::Tensor sumsOnDevice(const torch::Tensor& meanLoss, const torch::Tensor& right, const torch::Tensor& targets,
                               double units) const {
        if (!m_template.defined() || m_templateUnits != units || m_template.device() != targets.device()) {
            m_template = torch::tensor({0.0, units, 0.0, units}, torch::kFloat64).to(targets.device());
            m_templateUnits = units;
        }
        torch::Tensor sums = m_template.clone();
        const torch::Tensor weight = sums.select(0, 1);
        if (m_loss.weighsClasses()) sums.select(0, 1).copy_(m_loss.weight(targets));
        torch::Tensor loss = sums.select(0, 0);
        torch::mul_out(loss, meanLoss, weight);
        sums.select(0, 2).copy_(right);
        return sums;
    }

    mutable torch::Tensor m_template; // [0, units, 0, units], float64, on the device of the targets
    mutable double m_templateUnits = 0;
};

class Language final : public RightOrWrong {
public:
    using RightOrWrong::RightOrWrong;
    torch::Tensor zeroSums(const torch::Device& device) const override {
        return torch::zeros({3}, torch::TensorOptions(torch::kFloat64).device(device));
    }
    void add(torch::Tensor& sums, const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        sums[0] += m_loss.validationSum(outputs, targets).to(torch::kFloat64);
        sums[1] += outputs.argmax(-1).eq(targets).sum().to(torch::kFloat64);
        sums[2] += static_cast<double>(targets.numel());
    }
    // A sample is one window of text.
    torch::Tensor judge(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        return m_loss.ofEach(outputs, targets).mean(1, /*keepdim=*/true).to(torch::kFloat64);
    }
    run::Example example(std::int64_t index, std::span<const double> judged) const override {
        run::Example one;
        one.index = index;
        one.loss = judged[0];
        return one;
    }
    Evaluation evaluate(const torch::Tensor& sums, const std::vector<run::Example>& examples) const override {
        const double tokens = sums[2].item<double>();
        const double loss = sums[0].item<double>() / tokens, accuracy = sums[1].item<double>() / tokens;
        const double perplexity = std::exp(loss);
        return {{{"val/loss", loss}, {"val/accuracy", accuracy}, {"val/perplexity", perplexity}},
                jsonText(json{{"task", "language"},
                              {"tokens", tokens},
                              {"loss", loss},
                              {"accuracy", accuracy},
                              {"perplexity", perplexity},
                              {"examples", parseSortedJson(run::examplesToJson(examples))}})};
    }
};

constexpr std::int64_t kNumbers = 4;      // of a classification's sums, before those of its classes
constexpr std::int64_t kMostCurves = 100; // classes whose curve is told

json reliabilityJson(const std::vector<ReliabilityBin>& bins) {
    json list = json::array();
    for (const ReliabilityBin& bin : bins)
        list.push_back({{"confidence", bin.confidence}, {"accuracy", bin.accuracy}, {"samples", bin.samples}});
    return list;
}

// Sums: loss, samples, right among the five likeliest, squared distances of the probabilities from the truth; then for
// each class: right, predicted, present; then the confusion table by rows of true classes, where there are few enough
// classes for one; then those of the calibration and of the curves.
class Classification final : public RightOrWrong {
public:
    Classification(optim::Loss loss, const data::Dataset& dataset)
        : RightOrWrong(std::move(loss)), m_classes(dataset.classes), m_names(dataset.classNames), m_ranks(m_classes) {}

    torch::Tensor zeroSums(const torch::Device& device) const override {
        return torch::zeros({kNumbers + 3 * m_classes + tableSize() + CalibrationSums::kSize + m_ranks.size()},
                            torch::TensorOptions(torch::kFloat64).device(device));
    }

    void add(torch::Tensor& sums, const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const torch::Tensor predicted = outputs.argmax(1), right = predicted.eq(targets);
        const auto count = [this](const torch::Tensor& classes) {
            return torch::bincount(classes, {}, m_classes).to(torch::kFloat64);
        };
        sums[0] += m_loss.validationSum(outputs, targets).to(torch::kFloat64);
        sums[1] += static_cast<double>(targets.size(0));
        if (hasTopFive()) {
            const torch::Tensor likeliest = std::get<1>(outputs.topk(5, 1));
            sums[2] += likeliest.eq(targets.unsqueeze(1)).sum().to(torch::kFloat64);
        }
        const torch::Tensor probabilities = m_loss.probabilities(outputs), truth = torch::one_hot(targets, m_classes);
        sums[3] += (probabilities - truth).square().sum(torch::kFloat64);
        std::int64_t at = kNumbers;
        const auto next = [&](std::int64_t size) {
            at += size;
            return sums.narrow(0, at - size, size);
        };
        next(m_classes) += count(targets.masked_select(right));
        next(m_classes) += count(predicted);
        next(m_classes) += count(targets);
        if (hasTable())
            next(tableSize()) += torch::bincount(targets * m_classes + predicted, {}, tableSize()).to(torch::kFloat64);
        CalibrationSums::add(next(CalibrationSums::kSize), std::get<0>(probabilities.max(1)), right);
        m_ranks.add(next(m_ranks.size()), probabilities, truth);
    }

    torch::Tensor judge(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const torch::Tensor predicted = outputs.argmax(1, /*keepdim=*/true);
        const torch::Tensor probability = m_loss.probabilities(outputs).gather(1, predicted);
        return torch::cat({m_loss.ofEach(outputs, targets).unsqueeze(1).to(torch::kFloat64),
                           targets.unsqueeze(1).to(torch::kFloat64), predicted.to(torch::kFloat64),
                           probability.to(torch::kFloat64)},
                          1);
    }
    run::Example example(std::int64_t index, std::span<const double> judged) const override {
        run::Example one;
        one.index = index;
        one.loss = judged[0];
        one.truth = static_cast<std::int64_t>(judged[1]);
        one.predicted = static_cast<std::int64_t>(judged[2]);
        one.probability = judged[3];
        return one;
    }

    Evaluation evaluate(const torch::Tensor& sums, const std::vector<run::Example>& examples) const override {
        const std::span<const double> numbers(sums.data_ptr<double>(), static_cast<std::size_t>(sums.numel()));
        std::size_t at = kNumbers;
        const auto next = [&](std::int64_t size) {
            at += static_cast<std::size_t>(size);
            return numbers.subspan(at - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
        };
        ClassCounts counts;
        counts.right = next(m_classes);
        counts.predicted = next(m_classes);
        counts.present = next(m_classes);
        const auto table = next(tableSize());
        const auto reliability = CalibrationSums::binsOf(next(CalibrationSums::kSize));
        const auto ranked = next(m_ranks.size());
        double allRight = 0, precision = 0, recall = 0, f1 = 0, counted = 0;
        MeanOf auc, prAuc;
        json classes = json::array();
        for (std::int64_t c = 0; c < m_classes; ++c) {
            const auto of = static_cast<std::size_t>(c);
            const double right = counts.right[of], predicted = counts.predicted[of], present = counts.present[of];
            const double p = predicted > 0 ? right / predicted : 0, r = present > 0 ? right / present : 0;
            const double f = predicted + present > 0 ? 2 * right / (predicted + present) : 0;
            allRight += right;
            if (predicted + present > 0) { // classes neither present nor predicted do not count
                precision += p;
                recall += r;
                f1 += f;
                ++counted;
            }
            classes.push_back({{"name", nameOf(c)}, {"precision", p}, {"recall", r}, {"f1", f}, {"samples", present}});
            if (ranked.empty()) continue;
            const ClassCurve curve = curveOf(m_ranks.of(ranked, c));
            auc.add(curve.auc);
            prAuc.add(curve.prAuc);
            classes.back()["auc"] = curve.auc;
            classes.back()["prAuc"] = curve.prAuc;
            if (m_classes <= kMostCurves && !curve.roc.empty()) classes.back()["roc"] = curve.roc;
        }
        const double samples = numbers[1], loss = numbers[0] / samples, accuracy = allRight / samples;
        const Interval interval = wilsonInterval(allRight, samples);
        Evaluation result;
        result.series = {{"val/loss", loss},
                         {"val/accuracy", accuracy},
                         {"val/precision", precision / counted},
                         {"val/recall", recall / counted},
                         {"val/f1", f1 / counted}};
        json all = {{"task", "classification"},
                    {"samples", samples},
                    {"loss", loss},
                    {"accuracy", accuracy},
                    {"accuracyLow", interval.low},
                    {"accuracyHigh", interval.high},
                    {"macro", {{"precision", precision / counted}, {"recall", recall / counted}, {"f1", f1 / counted}}},
                    {"classes", std::move(classes)},
                    {"reliability", reliabilityJson(reliability)}};
        if (hasTopFive()) all["top5"] = result.series["val/top5"] = numbers[2] / samples;
        // With two classes each difference is there twice, and the score is that of one.
        const std::pair<const char*, double> further[] = {{"balancedAccuracy", balancedAccuracy(counts)},
                                                          {"kappa", cohensKappa(counts)},
                                                          {"mcc", matthewsCorrelation(counts)},
                                                          {"brier", numbers[3] / samples / (m_classes == 2 ? 2 : 1)},
                                                          {"ece", calibrationError(reliability)},
                                                          {"auc", auc.value()},
                                                          {"prAuc", prAuc.value()}};
        for (const auto& [name, value] : further) {
            if (ranked.empty() && std::string_view(name).ends_with("uc")) continue;
            all[name] = value;
            if (samples == 0 || std::isfinite(value)) result.series["val/" + std::string(name)] = value;
        }
        if (hasTable()) all["confusion"] = tableJson(table.data());
        all["examples"] = parseSortedJson(run::examplesToJson(examples));
        result.json = jsonText(all);
        return result;
    }

private:
    bool hasTopFive() const { return m_classes > 5; }
    bool hasTable() const { return m_classes <= 1000; }
    std::int64_t tableSize() const { return hasTable() ? m_classes * m_classes : 0; }
    std::string nameOf(std::int64_t c) const {
        const auto index = static_cast<std::size_t>(c);
        return index < m_names.size() ? m_names[index] : std::to_string(c);
    }
    json tableJson(const double* number) const {
        json rows = json::array();
        for (std::int64_t c = 0; c < m_classes; ++c)
            rows.push_back(std::vector<std::int64_t>(number + c * m_classes, number + (c + 1) * m_classes));
        return rows;
    }

    const std::int64_t m_classes;
    const std::vector<std::string> m_names;
    const RankSums m_ranks;
};

// A run that waits for a metric which never comes would wait in silence.
Result<void> checkWatched(const Task& task, const std::string& path, const std::string& metric,
                          const data::Dataset& dataset) {
    if (metric.empty()) return {};
    if (dataset.validation.size() == 0)
        return inputError("\"" + metric + "\" never comes: there are no validation samples", path);
    const auto metrics = task.evaluate(task.zeroSums(torch::kCPU), {}).series;
    if (metrics.contains(metric)) return {};
    std::string names;
    for (const auto& [name, value] : metrics) names += (names.empty() ? "" : ", ") + name;
    return inputError("\"" + metric + "\" is not a validation metric", path, "one of: " + names);
}

} // namespace

torch::Tensor Task::loss(const torch::Tensor& outputs, const torch::Tensor& targets) const {
    return m_loss.mean(outputs, targets);
}

std::unique_ptr<Task> makeClassification(optim::Loss loss, const data::Dataset& dataset) {
    return std::make_unique<Classification>(std::move(loss), dataset);
}

std::unique_ptr<Task> makeLanguage(optim::Loss loss, const data::Dataset&) {
    return std::make_unique<Language>(std::move(loss));
}

run::Example Task::exampleOfNumbers(std::int64_t index, std::span<const double> judged) {
    const std::size_t count = judged.size() / 2;
    const auto targets = judged.subspan(1, count), outputs = judged.subspan(1 + count, count);
    run::Example one;
    one.index = index;
    one.loss = judged[0];
    one.target.assign(targets.begin(), targets.end());
    one.output.assign(outputs.begin(), outputs.end());
    return one;
}

Result<std::unique_ptr<Task>> Task::make(const spec::RunSpec& spec, const data::Dataset& dataset) {
    TY_ASSIGN(optim::Loss loss, optim::Loss::make(spec.loss, dataset.task, dataset.classes, dataset.train.targets));
    if (data::mixesTargets(spec.augment) && !loss.takesShares())
        return inputError("takes each sample's class as it is, and augment." +
                              std::string(spec.augment.mixup > 0 ? "mixup" : "cutmix") +
                              " makes shares of classes of it",
                          "loss.name", "use cross-entropy or bce, or remove mixup and cutmix");
    for (const auto* split : {&dataset.train, &dataset.validation, &dataset.test})
        TY_TRY(loss.checkTargets(split->targets, !dataset.targetMean.empty()));
    auto task = dataset.task == TaskKind::Regression   ? makeRegression(std::move(loss), dataset)
                : dataset.task == TaskKind::Language   ? makeLanguage(std::move(loss), dataset)
                : dataset.task == TaskKind::MultiLabel ? makeLabels(std::move(loss), dataset)
                                                       : makeClassification(std::move(loss), dataset);
    TY_TRY(checkWatched(*task, "earlyStop.metric", spec.earlyStop.metric, dataset));
    if (spec.schedule.name == "plateau") {
        const auto metric = spec.schedule.params.find("metric");
        const auto* name = metric == spec.schedule.params.end() ? nullptr : std::get_if<std::string>(&metric->second);
        TY_TRY(checkWatched(*task, "schedule.metric", name ? *name : "val/loss", dataset));
    }
    return task;
}

} // namespace trainyard::train
