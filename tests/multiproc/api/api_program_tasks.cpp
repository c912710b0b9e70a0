// SPDX-License-Identifier: GPL-3.0-or-later
// The library's datasets and models of the other tasks, in a loop of the program's own; its loaders and means.
#include "tests/multiproc/api/api_program_tasks.h"

#include <array>
#include <cmath>
#include <string>

namespace ty = trainyard::train;
using torch::Tensor;

namespace {

using LossOf = std::function<Tensor(const Tensor& output, const Tensor& target)>;

// By how much the loss falls in some passes over the first samples.
double fall(const ty::LoadedDataset& dataset, ty::AnyNetwork model, double lr, const LossOf& lossOf) {
    model = ty::prepareModel(model);
    torch::optim::Adam optimizer(model.module()->parameters(), torch::optim::AdamOptions(lr));
    auto loader = ty::prepareDataLoader(dataset.train.first(64), {.batchSize = 16});
    double first = 0, last = 0;
    for (int epoch = 0; epoch < 10; ++epoch)
        for (auto [data, target] : loader) {
            const auto loss = lossOf(model(data), target);
            last = loss.item<double>();
            if (first == 0) first = last;
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
        }
    return first / last;
}

} // namespace

void tasks(const ty::Config&) {
    const auto waves = ty::loadDataset("waves", {{"samples", 500}, {"test", 20}}, 1, "regression");
    const auto line =
        ty::makeModel("mlp", {{"hidden", std::vector<double>{16}}}, waves.sampleShape, waves.classes, "regression");
    const auto sentences = ty::loadDataset("sentences", {}, 1, "language");
    const auto gpt = ty::makeModel("gpt", {{"depth", 1}, {"width", 32}, {"heads", 2}}, sentences.sampleShape,
                                   sentences.classes, "language");
    const double numbers = fall(waves, line, 0.02, [](const Tensor& output, const Tensor& target) {
        return torch::nn::functional::mse_loss(output, target);
    });
    const double words = fall(sentences, gpt, 0.01, [](const Tensor& output, const Tensor& target) {
        return torch::nn::functional::cross_entropy(output.flatten(0, 1), target.flatten());
    });
    bool refused = false;
    try {
        ty::loadDataset("waves", {}, 1, "language");
    } catch (const ty::InputError&) { refused = true; }
    ty::report({{"numbers", numbers > 1.2 ? 1.0 : numbers},
                {"words", words > 1.2 ? 1.0 : words},
                {"test", static_cast<double>(waves.test.size())},
                {"refused", refused ? 1.0 : 0.0}});
}

// Every sample is seen once an epoch, but for those that make the shares equal; all ranks have as many batches.
void loaders(const ty::Config&) {
    const auto count = [](auto& loader, std::int64_t samples) {
        auto seen = torch::zeros({samples});
        double batches = 0;
        for (auto& [data, target] : loader) {
            seen.index_add_(0, target.to(torch::kLong).flatten(), torch::ones({target.numel()}));
            ++batches;
        }
        double all = 0, twice = 0;
        for (std::int64_t i = 0; i < samples; ++i) {
            const double times = ty::sumOverRanks(seen[i].item<double>());
            all += times > 0;
            twice += times > 1;
        }
        const double differs = ty::sumOverRanks(batches) - batches * ty::context().worldSize();
        return std::array{all, twice, std::abs(differs)};
    };
    ty::Metrics found;
    const auto numbers = torch::arange(11);
    auto tensors = ty::prepareDataLoader(numbers.to(torch::kFloat), numbers, {.batchSize = 2, .shuffle = true});
    const auto first = count(tensors, 11);
    found["tensorsAll"] = first[0];
    found["tensorsTwice"] = first[1];
    found["tensorsDiffer"] = first[2];
    std::string orders[2];
    for (auto& order : orders) {
        tensors.setEpoch(7);
        for (auto& [data, target] : tensors) order += std::to_string(target[0].item<std::int64_t>()) + " ";
    }
    found["sameEpochSameOrder"] = orders[0] == orders[1];
    auto torchLoader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
        torch::data::datasets::TensorDataset(numbers).map(
            torch::data::transforms::Lambda<torch::data::TensorExample, torch::data::Example<>>(
                [](torch::data::TensorExample example) {
                    return torch::data::Example<>(example.data.to(torch::kFloat), example.data);
                })),
        torch::data::DataLoaderOptions(2));
    auto dealt = ty::prepareDataLoader(std::move(torchLoader));
    const auto second = count(dealt, 11);
    found["torchAll"] = second[0]; // 6 batches for 2 ranks, the last of one sample
    found["torchDiffer"] = second[2];
    ty::report(found);
}

// Rank 0's values are kept; the means are those of both ranks.
void means(const ty::Config&) {
    const double rank = ty::context().worldRank();
    ty::report({{"rank", rank}, {"loss", 1}});
    ty::report(ty::meanOverRanks({{"mean", rank}, {"loss", 3 + 4 * rank}}));
}

void unlikeMetrics(const ty::Config&) {
    const bool first = ty::context().worldRank() == 0;
    ty::report(first ? ty::meanOverRanks({{"loss", 1}, {"epoch", 2}}) : ty::meanOverRanks({{"loss", 1}}));
}
