// SPDX-License-Identifier: GPL-3.0-or-later
// RaySGD's CIFAR-10 script, line by line: ResNet-18 made by creator functions and trained epoch by epoch from main().
// Build it with the CMakeLists.txt beside it; --help tells what may be set.
#include <iostream>
#include <trainyard/train.h>

namespace ty = trainyard::train;

struct Arguments {
    std::string data = "cifar10"; // of `trainyardctl datasets`
    std::string checkpoint = "checkpoint.pt";
    int workers = 2;
    std::int64_t batch = 64, samples = 1 << 30;
    bool gpu = torch::cuda::is_available();
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
        if (word == "--data") arguments.data = value();
        else if (word == "--checkpoint") arguments.checkpoint = value();
        else if (word == "--workers") arguments.workers = std::atoi(value().c_str());
        else if (word == "--batch") arguments.batch = std::atoll(value().c_str());
        else if (word == "--samples") arguments.samples = std::atoll(value().c_str());
        else {
            std::cerr << "usage: ray_creators [--data NAME] [--samples N] [--batch N] [--workers N]"
                         " [--checkpoint FILE]\n";
            std::exit(word == "--help" ? 0 : 2);
        }
    }
    return arguments;
}

// The loaders of train() and validate().
std::pair<ty::AnyLoader, ty::AnyLoader> cifarCreator(const ty::Config& config) {
    const auto data = ty::loadDataset(config.text("data")); // normalised by the set's mean and deviation
    const auto samples = config.integer("samples");
    ty::DataLoader trainLoader(data.train.first(samples), {.batchSize = config.integer("batch")});
    ty::DataLoader validationLoader(data.validation.first(samples), {.batchSize = config.integer("batch")});
    return {trainLoader, validationLoader};
}

ty::AnyNetwork resnet18Creator(const ty::Config& config) {
    const auto data = ty::loadDataset(config.text("data")); // for the shape: images of three channels, or of one
    return ty::makeModel("resnet18", {{"stem", "small"}}, data.sampleShape, data.classes);
}

std::shared_ptr<torch::optim::Optimizer> optimizerCreator(const ty::AnyNetwork& model, const ty::Config& config) {
    return std::make_shared<torch::optim::SGD>(model->parameters(), torch::optim::SGDOptions(config.number("lr")));
}

int main(int argc, char** argv) {
    const auto arguments = parse(argc, argv);

    ty::CreatorTrainer trainer({
        .modelCreator = resnet18Creator, // gives a module
        .dataCreator = cifarCreator,     // gives the loaders
        .optimizerCreator = optimizerCreator,
        .lossCreator = [](const ty::Config&) { return torch::nn::CrossEntropyLoss(); },
        .config = {{"lr", 0.01}, {"batch", arguments.batch}, {"data", arguments.data}, {"samples", arguments.samples}},
        .scaling = {.numWorkers = arguments.workers, .useGpu = arguments.gpu},
        .run = {.name = "ray-creators"},
    });

    const auto stats = trainer.train();
    std::cout << ty::toText(stats) << "\n" << ty::toText(trainer.validate()) << "\n";

    torch::save(trainer.stateDict(), arguments.checkpoint);
    const auto result = trainer.shutdown();
    if (result.error) {
        std::cerr << result.error->text() << "\n";
        return 1;
    }
    std::cout << "success!\n";
}
