// SPDX-License-Identifier: GPL-3.0-or-later
// The library's datasets and models of the other tasks, in a loop of the program's own.
#include "tests/multiproc/api/api_program_tasks.h"

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
