// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"
#include "engine/torch/trainer/task/task.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

using nlohmann::json;

constexpr std::int64_t kExampleColumns = 16; // of a sample that is named
constexpr double kRounding = 1e-13;          // of a sum of squares in double precision

// Sums: loss, samples, then for each column of targets: squared errors, absolute errors, targets, squared targets. The
// model learns targets that were brought to mean 0 and deviation 1; errors are told in the units of the data.
class Regression final : public Task {
public:
    Regression(optim::Loss loss, const data::Dataset& dataset)
        : Task(std::move(loss)), m_columns(dataset.classes), m_names(dataset.classNames),
          m_units(dataset.targetStddev.empty() ? std::vector<double>(static_cast<std::size_t>(m_columns), 1.0)
                                               : dataset.targetStddev),
          m_means(dataset.targetMean.empty() ? std::vector<double>(m_units.size(), 0.0) : dataset.targetMean) {
        // Around a value near their mean, squares of targets far from 0 keep their digits.
        const auto& targets = dataset.validation.targets;
        m_middle = torch::zeros({m_columns}, torch::kFloat64);
        if (!dataset.targetMean.empty() || targets.numel() == 0) return;
        m_middle = targets.reshape({-1, m_columns}).to(torch::kFloat64).mean(0).cpu();
    }

    std::vector<std::string> trainSeries() const override { return {"train/loss", "train/rmse"}; }
    torch::Tensor trainSums(const torch::Tensor& meanLoss, const torch::Tensor& outputs,
                            const torch::Tensor& targets) const override {
        const torch::Tensor weight = m_loss.weight(targets);
        const torch::Tensor said = m_loss.answers(outputs.detach());
        const torch::Tensor errors = (said - targets.reshape(said.sizes())).to(torch::kFloat64);
        const torch::Tensor squares = errors.mul(scale(errors)).square().mean(1).sum();
        return torch::stack({meanLoss.detach().to(torch::kFloat64) * weight, weight, squares, weight});
    }
    std::vector<double> trainMetrics(const std::vector<double>& sums) const override {
        return {sums[0] / sums[1], std::sqrt(sums[2] / sums[3])};
    }

    torch::Tensor zeroSums(const torch::Device& device) const override {
        return torch::zeros({2 + 4 * m_columns}, torch::TensorOptions(torch::kFloat64).device(device));
    }

    void add(torch::Tensor& sums, const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const torch::Tensor wanted = targets.reshape(outputs.sizes()).to(torch::kFloat64);
        const torch::Tensor errors = m_loss.answers(outputs).to(torch::kFloat64) - wanted;
        const torch::Tensor around = wanted - m_middle.to(wanted.device());
        sums[0] += m_loss.validationSum(outputs, targets).to(torch::kFloat64);
        sums[1] += static_cast<double>(outputs.size(0));
        sums.narrow(0, 2, 4 * m_columns) +=
            torch::cat({errors.square().sum(0), errors.abs().sum(0), around.sum(0), around.square().sum(0)});
    }

    torch::Tensor judge(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
        const std::int64_t columns = std::min(m_columns, kExampleColumns);
        const auto shown = [&](const torch::Tensor& values) {
            const torch::Tensor wide = values.to(torch::kFloat64);
            return (wide * scale(wide) + torch::tensor(m_means, wide.options())).narrow(1, 0, columns);
        };
        return torch::cat({m_loss.ofEach(outputs, targets).unsqueeze(1).to(torch::kFloat64),
                           shown(targets.reshape(outputs.sizes())), shown(m_loss.answers(outputs))},
                          1);
    }

    run::Example example(std::int64_t index, std::span<const double> judged) const override {
        return exampleOfNumbers(index, judged);
    }

    Evaluation evaluate(const torch::Tensor& sums, const std::vector<run::Example>& examples) const override {
        const double* number = sums.data_ptr<double>();
        const double n = number[1], loss = number[0] / n;
        const double *squared = number + 2, *absolute = squared + m_columns, *first = absolute + m_columns,
                     *second = first + m_columns;
        double squares = 0, mae = 0, r2 = 0;
        json columns = json::array();
        for (std::int64_t c = 0; c < m_columns; ++c) {
            const double unit = m_units[static_cast<std::size_t>(c)];
            const double spread = second[c] - first[c] * first[c] / n; // squared distances from the mean
            const bool varies = spread > kRounding * second[c];        // else what is there is what was rounded away
            const double share = varies ? 1 - squared[c] / spread : squared[c] > 0 ? 0.0 : 1.0;
            squares += squared[c] / n * unit * unit;
            mae += absolute[c] / n * unit;
            r2 += share;
            columns.push_back({{"name", nameOf(c)},
                               {"rmse", std::sqrt(squared[c] / n) * unit},
                               {"mae", absolute[c] / n * unit},
                               {"r2", share}});
        }
        const auto count = static_cast<double>(m_columns);
        const double rmse = std::sqrt(squares / count);
        return {{{"val/loss", loss}, {"val/rmse", rmse}, {"val/mae", mae / count}, {"val/r2", r2 / count}},
                jsonText(json{{"task", "regression"},
                              {"samples", n},
                              {"loss", loss},
                              {"rmse", rmse},
                              {"mae", mae / count},
                              {"r2", r2 / count},
                              {"columns", std::move(columns)},
                              {"examples", parseSortedJson(run::examplesToJson(examples))}})};
    }

private:
    torch::Tensor scale(const torch::Tensor& like) const { return torch::tensor(m_units, like.options()); }
    std::string nameOf(std::int64_t c) const {
        const auto index = static_cast<std::size_t>(c);
        return index < m_names.size() ? m_names[index] : "target " + std::to_string(c);
    }

    const std::int64_t m_columns;
    const std::vector<std::string> m_names;
    const std::vector<double> m_units; // standard deviation of each column
    const std::vector<double> m_means;
    torch::Tensor m_middle; // double [columns], as the model sees targets
};

} // namespace

std::unique_ptr<Task> makeRegression(optim::Loss loss, const data::Dataset& dataset) {
    return std::make_unique<Regression>(std::move(loss), dataset);
}

} // namespace trainyard::train
