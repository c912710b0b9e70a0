// SPDX-License-Identifier: GPL-3.0-or-later
// A training function that is swept, for api_tune_test: api_tune_program SCHEDULER LR, where LR is the second of four
// learning rates and fails when it is negative. What it finds goes to standard output as "name=value" lines, from the
// driver alone.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <trainyard/train.h>

namespace ty = trainyard::train;
namespace tune = trainyard::tune;

namespace {

// Downhill to 3, on every rank alike.
void descend(const ty::Config& config) {
    if (config.number("lr") < 0) throw std::runtime_error("that is uphill");
    double weight = 0;
    for (std::int64_t epoch = 1; epoch <= config.integer("epochs"); ++epoch) {
        weight -= config.number("lr") * 2 * (weight - config.number("goal"));
        const double loss = (weight - config.number("goal")) * (weight - config.number("goal"));
        std::this_thread::sleep_for(std::chrono::duration<double>(config.number("pause")));
        ty::report({{"loss", ty::sumOverRanks(loss) / ty::context().worldSize()}, {"epoch", double(epoch)}});
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string scheduler = argc > 1 ? argv[1] : "fifo";
    const double second = argc > 2 ? std::atof(argv[2]) : 1e-4;
    // What a scheduler ends has to last until it is told.
    const std::int64_t epochs = scheduler == "asha" ? 40 : 8;
    const double pause = scheduler == "asha" ? 0.1 : 0;
    const ty::Config options = scheduler == "pbt" ? ty::Config{{"mutate", "model.params.lr"}} : ty::Config{};
    try {
        tune::Tuner tuner(
            descend,
            {.loopConfig = {{"epochs", epochs}, {"goal", 3.0}, {"pause", pause}}, .scaling = {.numWorkers = 2}},
            {.paramSpace = {{"lr", tune::gridSearch({0.4, second, 2e-4, 3e-4})}},
             .tuneConfig = {.metric = "loss", .maxConcurrentTrials = 1, .scheduler = {scheduler, options}},
             .name = "descent"});
        const auto results = tuner.fit();
        const auto& best = results.getBestResult();
        std::printf("trials=%zu\nended=%zu\nerrors=%zu\nbest=%g\n", results.size(), results.numTerminated(),
                    results.numErrors(), best.config.number("lr"));
        std::printf("reports=%zu\nworst reports=%zu\nworst reason=%d\n", results.result(best).metricsHistory.size(),
                    results.result(results[1]).metricsHistory.size(), results[1].reason.empty() ? 0 : 1);
        std::printf("error=%s\n", results[1].error ? results[1].error->text().c_str() : "");
        // Its ranks pass the sweep above, and are given what is recorded of it.
        const auto longer =
            ty::TorchTrainer(
                descend,
                {.loopConfig = {{"epochs", 2}, {"goal", 3.0}, {"pause", 0.0}, {"lr", best.config.number("lr")}},
                 .run = {.name = "descent-again"}})
                .fit();
        std::printf("after=%zu\n", longer.error ? std::size_t{0} : longer.metricsHistory.size());
    } catch (const ty::InputError& e) {
        std::printf("refused=%s\n", e.what());
        return 2;
    }
    return 0;
}
