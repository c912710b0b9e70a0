// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/task/task.h"

#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"

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
        const torch::Tensor right = outputs.detach().argmax(-1).eq(targets).sum();
        const auto units = static_cast<double>(targets.numel());
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

// Sums: loss, samples, right among the five likeliest, then for each class: right, predicted, present; then the
// confusion table by rows of true classes, where there are few enough classes for one.
class Classification final : public RightOrWrong {
public:
    Classification(optim::Loss loss, const data::Dataset& dataset)
        : RightOrWrong(std::move(loss)), m_classes(dataset.classes), m_names(dataset.classNames) {}

    torch::Tensor zeroSums(const torch::Device& device) const override {
        const std::int64_t table = hasTable() ? m_classes * m_classes : 0;
        return torch::zeros({3 + 3 * m_classes + table}, torch::TensorOptions(torch::kFloat64).device(device));
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
        sums.narrow(0, 3, m_classes) += count(targets.masked_select(right));
        sums.narrow(0, 3 + m_classes, m_classes) += count(predicted);
        sums.narrow(0, 3 + 2 * m_classes, m_classes) += count(targets);
        if (hasTable())
            sums.narrow(0, 3 + 3 * m_classes, m_classes * m_classes) +=
                torch::bincount(targets * m_classes + predicted, {}, m_classes * m_classes).to(torch::kFloat64);
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
        const double* number = sums.data_ptr<double>();
        const double *right = number + 3, *predicted = right + m_classes, *present = predicted + m_classes;
        double allRight = 0, precision = 0, recall = 0, f1 = 0, counted = 0;
        json classes = json::array();
        for (std::int64_t c = 0; c < m_classes; ++c) {
            const double p = predicted[c] > 0 ? right[c] / predicted[c] : 0,
                         r = present[c] > 0 ? right[c] / present[c] : 0;
            const double f = predicted[c] + present[c] > 0 ? 2 * right[c] / (predicted[c] + present[c]) : 0;
            allRight += right[c];
            if (predicted[c] + present[c] > 0) { // classes neither present nor predicted do not count
                precision += p;
                recall += r;
                f1 += f;
                ++counted;
            }
            classes.push_back(
                {{"name", nameOf(c)}, {"precision", p}, {"recall", r}, {"f1", f}, {"samples", present[c]}});
        }
        const double samples = number[1], loss = number[0] / samples, accuracy = allRight / samples;
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
                    {"macro", {{"precision", precision / counted}, {"recall", recall / counted}, {"f1", f1 / counted}}},
                    {"classes", std::move(classes)}};
        if (hasTopFive()) all["top5"] = result.series["val/top5"] = number[2] / samples;
        if (hasTable()) all["confusion"] = tableJson(present + m_classes);
        all["examples"] = parseSortedJson(run::examplesToJson(examples));
        result.json = jsonText(all);
        return result;
    }

private:
    bool hasTopFive() const { return m_classes > 5; }
    bool hasTable() const { return m_classes <= 1000; }
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

Result<std::unique_ptr<Task>> Task::make(const spec::RunSpec& spec, const data::Dataset& dataset) {
    TY_ASSIGN(optim::Loss loss, optim::Loss::make(spec.loss, dataset.task, dataset.classes));
    for (const auto* split : {&dataset.train, &dataset.validation, &dataset.test})
        TY_TRY(loss.checkTargets(split->targets, !dataset.targetMean.empty()));
    auto task = dataset.task == TaskKind::Regression ? makeRegression(std::move(loss), dataset)
                : dataset.task == TaskKind::Language ? makeLanguage(std::move(loss), dataset)
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
