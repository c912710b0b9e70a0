// SPDX-License-Identifier: GPL-3.0-or-later
// Training driven epoch by epoch from the program's own main(), with what is trained made by creator functions.
#pragma once

#include "trainyard/data.h"
#include "trainyard/network.h"
#include "trainyard/trainer.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace trainyard::train {

// A model and its optimizer as tensors: "model.<name>" for each parameter and buffer, "optimizer" (the bytes of
// torch::save) and "epoch". torch::save() and torch::load() take one.
class StateDict {
public:
    std::map<std::string, torch::Tensor> tensors{};

    std::map<std::string, torch::Tensor> model() const; // without the prefix
    std::int64_t epoch() const;                         // epochs trained
    // Copies parameters and buffers into a module. Throws InputError on a name or shape that does not fit.
    void loadInto(torch::nn::Module& module) const;
};
torch::serialize::OutputArchive& operator<<(torch::serialize::OutputArchive& archive, const StateDict& state);
torch::serialize::InputArchive& operator>>(torch::serialize::InputArchive& archive, StateDict& state);

using Loss = std::function<torch::Tensor(const torch::Tensor& output, const torch::Tensor& target)>;

// What a CreatorTrainer makes its workers from.
struct CreatorOptions {
    std::function<AnyNetwork(const Config&)> modelCreator;
    // Loaders for train() and validate(); the second may be empty. They are prepared for the ranks.
    std::function<std::pair<AnyLoader, AnyLoader>(const Config&)> dataCreator;
    std::function<std::shared_ptr<torch::optim::Optimizer>(const AnyNetwork& model, const Config&)> optimizerCreator;
    std::function<Loss(const Config&)> lossCreator;
    Config config{};
    ScalingConfig scaling{};
    RunConfig run{};
};

// The run has failed and cannot take commands any more.
class RunFailed : public std::runtime_error {
public:
    explicit RunFailed(RunError error) : std::runtime_error(error.text()), m_error(std::move(error)) {}
    const RunError& error() const { return m_error; }

private:
    RunError m_error;
};

// Starts the ranks like TorchTrainer::fit(), which see: they come to this constructor, make model, data, optimizer and
// loss, and do what the functions below ask for until shutdown(). A program makes one such trainer. Ranks that are
// started again after a failure continue from the end of the last epoch, and the command in progress is repeated.
// Functions block; they throw RunFailed when the run cannot continue.
class CreatorTrainer {
public:
    explicit CreatorTrainer(CreatorOptions options);
    ~CreatorTrainer(); // shuts down
    CreatorTrainer(const CreatorTrainer&) = delete;
    CreatorTrainer& operator=(const CreatorTrainer&) = delete;

    // One epoch. "train_loss" (mean over all samples of all ranks), "last_train_loss", "num_samples", "batch_count",
    // "epoch" (1 after the first).
    Metrics train();
    // The validation loader once, without gradients: "val_loss", "num_samples", "batch_count" and, when targets are
    // classes, "val_accuracy". Throws InputError when there is no such loader.
    Metrics validate();
    StateDict stateDict();
    void loadStateDict(const StateDict& state); // InputError when it does not fit
    void save(const std::filesystem::path& file);
    void load(const std::filesystem::path& file);
    // Ends the ranks. The result is that of fit(). Any further call throws.
    Result shutdown();

private:
    class Driver;
    std::unique_ptr<Driver> m_driver;
};

} // namespace trainyard::train
