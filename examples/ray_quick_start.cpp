// SPDX-License-Identifier: GPL-3.0-or-later
// Ray Train's PyTorch quick start, line by line: ResNet-18 on Fashion-MNIST with Adam. The numbers in brackets are
// those of the original. Build it with the CMakeLists.txt beside it; --help tells what may be set.
#include <cstring>
#include <iostream>
#include <trainyard/train.h>

namespace ty = trainyard::train;

// Not in the original: its constants, so that a first try may be a short one.
struct Arguments {
    std::string data = "fashion-mnist"; // of `trainyardctl datasets`
    std::string storage;
    int workers = 2;
    std::int64_t epochs = 10, batch = 128, samples = 1 << 30;
    bool gpu = false;
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
        if (word == "--data") arguments.data = value();
        else if (word == "--storage") arguments.storage = value();
        else if (word == "--workers") arguments.workers = std::atoi(value().c_str());
        else if (word == "--epochs") arguments.epochs = std::atoll(value().c_str());
        else if (word == "--batch") arguments.batch = std::atoll(value().c_str());
        else if (word == "--samples") arguments.samples = std::atoll(value().c_str());
        else if (word == "--gpu") arguments.gpu = true;
        else {
            std::cerr << "usage: ray_quick_start [--data NAME] [--samples N] [--epochs N] [--batch N] [--workers N]"
                         " [--gpu] [--storage FOLDER]\n";
            std::exit(word == "--help" ? 0 : 2);
        }
    }
    return arguments;
}

void trainFunction(const ty::Config& config) {
    // Model, loss, optimizer. (The original changes conv1 of a model for three channels; here one is asked for.)
    auto model = ty::makeModel("resnet18", {}, {1, 28, 28}, 10);
    // [1] Prepare the model: it moves to the device, and its gradients become those of all ranks.
    model = ty::prepareModel(model);
    torch::nn::CrossEntropyLoss criterion;
    torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.001));

    // Data, normalised as it is loaded. (A tenth is kept for validation; the original trains on all.)
    const auto data = ty::loadDataset(config.text("data"));
    ty::DataLoader trainLoader(data.train.first(config.integer("samples")),
                               {.batchSize = config.integer("batch"), .shuffle = true});
    // [2] Prepare the loader: it deals the samples to the ranks and puts batches on the device.
    trainLoader = ty::prepareDataLoader(trainLoader);

    // Training. What was reported before a restart need not be done again.
    std::int64_t begin = 0;
    if (const auto checkpoint = ty::getCheckpoint()) {
        const auto folder = checkpoint->asDirectory();
        torch::serialize::InputArchive archive;
        archive.load_from((folder / "model.pt").string());
        model->load(archive);
        torch::Tensor epoch;
        torch::load(epoch, (folder / "epoch.pt").string());
        begin = epoch.item<std::int64_t>() + 1;
    }
    for (std::int64_t epoch = begin; epoch < config.integer("epochs"); ++epoch) {
        if (ty::context().worldSize() > 1) trainLoader.setEpoch(epoch);

        torch::Tensor loss;
        for (auto [images, labels] : trainLoader) {
            auto outputs = model(images);
            loss = criterion(outputs, labels);
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
        }

        // [3] Report metrics and a checkpoint.
        const ty::Metrics metrics{{"loss", loss.item<double>()}, {"epoch", static_cast<double>(epoch)}};
        {
            const ty::TemporaryDirectory folder;
            torch::serialize::OutputArchive archive;
            model->save(archive);
            archive.save_to((folder / "model.pt").string());
            torch::save(torch::tensor(epoch), (folder / "epoch.pt").string());
            ty::report(metrics, ty::Checkpoint::fromDirectory(folder));
        }
        if (ty::context().worldRank() == 0) std::cout << ty::toText(metrics) << std::endl;
    }
}

int main(int argc, char** argv) {
    const auto arguments = parse(argc, argv);

    // [4] How many workers, and on what.
    const ty::ScalingConfig scaling{.numWorkers = arguments.workers, .useGpu = arguments.gpu};

    // [5] Launch the distributed job.
    ty::TorchTrainer trainer(trainFunction, {.loopConfig = {{"data", arguments.data},
                                                            {"samples", arguments.samples},
                                                            {"batch", arguments.batch},
                                                            {"epochs", arguments.epochs}},
                                             .scaling = scaling,
                                             // [5a] Where the run is kept.
                                             .run = {.name = "ray-quick-start", .storagePath = arguments.storage}});
    const auto result = trainer.fit();
    if (result.error) {
        std::cerr << result.error->text() << "\n";
        return 1;
    }

    // [6] Load the trained model.
    const auto folder = result.checkpoint->asDirectory();
    auto model = ty::makeModel("resnet18", {}, {1, 28, 28}, 10);
    torch::serialize::InputArchive archive;
    archive.load_from((folder / "model.pt").string());
    model->load(archive);
    std::cout << "metrics: " << ty::toText(result.metrics) << "\npath: " << result.path.string() << "\n";
}
