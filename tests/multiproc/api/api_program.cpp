// SPDX-License-Identifier: GPL-3.0-or-later
// A program on the library, for api_test: each scenario is a run of two ranks. What it finds goes to standard output as
// "name=value" lines, from the driver alone.
#include "tests/multiproc/api/api_program_tasks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>
#include <trainyard/train.h>

namespace ty = trainyard::train;

namespace {

using torch::Tensor;

// Values that every rank can work out for every other.
Tensor inputOf(int rank, int pass) { return torch::arange(12.0).view({3, 4}).mul(0.1 * (rank + 1)).add(pass); }

struct NetImpl : torch::nn::Module {
    NetImpl() {
        const torch::NoGradGuard noGrad;
        double at = 0.1;
        for (auto& parameter : parameters()) parameter.fill_(at += 0.1);
    }
    Tensor forward(const Tensor& x) { return last(torch::tanh(first(x))); }
    torch::nn::Linear first = register_module("first", torch::nn::Linear(4, 5));
    torch::nn::Linear last = register_module("last", torch::nn::Linear(5, 1));
    torch::nn::Linear unused = register_module("unused", torch::nn::Linear(2, 2));
};
TORCH_MODULE(Net);

Tensor lossOf(Net& net, int rank, int pass) { return net(inputOf(rank, pass)).pow(2).mean(); }

// The mean over the ranks of the sum over the passes, computed with a plain model without prepareModel().
std::vector<Tensor> expected(const std::vector<int>& passes) {
    Net net;
    const int world = ty::context().worldSize();
    for (int rank = 0; rank < world; ++rank)
        for (const int pass : passes) lossOf(net, rank, pass).div(world).backward();
    std::vector<Tensor> gradients;
    for (const auto& parameter : net->parameters())
        gradients.push_back(parameter.grad().defined() ? parameter.grad() : torch::zeros_like(parameter));
    return gradients;
}

// The largest difference, relative to the largest gradient, on any rank. A gradient that is missing differs.
double difference(const torch::nn::Module& net, const std::vector<Tensor>& wanted) {
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto gradient = net.parameters()[i].grad();
        worst = std::max(worst, gradient.defined() ? (gradient - wanted[i]).abs().max().item<double>() : 1e9);
        largest = std::max(largest, wanted[i].abs().max().item<double>());
    }
    return ty::sumOverRanks(worst) / largest;
}

double difference(const Net& net, const std::vector<int>& passes) { return difference(*net, expected(passes)); }

ty::Metrics gradientsBy(const std::string& averaging) {
    Net net;
    if (ty::context().worldRank() == 1) { // is given rank 0's weights
        const torch::NoGradGuard noGrad;
        for (auto& parameter : net->parameters()) parameter.zero_();
    }
    net = ty::prepareModel(net, {.averaging = averaging});
    torch::optim::SGD optimizer(net->parameters(), 0.0);
    const int rank = ty::context().worldRank();
    ty::Metrics found;
    lossOf(net, rank, 1).backward();
    found["plain"] = difference(net, {1});
    lossOf(net, rank, 2).backward(); // without zero_grad: adds up
    found["sum"] = difference(net, {1, 2});
    optimizer.zero_grad();
    lossOf(net, rank, 3).backward();
    found["zeroed"] = difference(net, {3});
    optimizer.step();
    for (auto& parameter : net->parameters()) parameter.mutable_grad().reset();
    {
        const ty::NoSync alone;
        lossOf(net, rank, 4).backward();
        lossOf(net, rank, 5).backward();
    }
    lossOf(net, rank, 6).backward();
    found["accumulated"] = difference(net, {4, 5, 6});
    return found;
}

// The words of the configuration's "averaging".
std::vector<std::string> waysOf(const ty::Config& config) {
    std::istringstream text(config.text("averaging"));
    return {std::istream_iterator<std::string>(text), {}};
}

// One way to average after another.
void gradients(const ty::Config& config) {
    ty::Metrics found;
    for (const auto& way : waysOf(config))
        for (const auto& [name, value] : gradientsBy(way)) found[way + " " + name] = value;
    ty::report(found);
}

// One layer that only some ranks use in some steps, and one that is never used.
struct PartsImpl : torch::nn::Module {
    PartsImpl() {
        const torch::NoGradGuard noGrad;
        double at = 0;
        for (auto& parameter : parameters())
            parameter.copy_(torch::arange(double(parameter.numel())).add(at += 1).sin().mul(0.3).view_as(parameter));
    }
    Tensor forward(const Tensor& x, bool more) {
        const auto inner = torch::tanh(first(x));
        return last(more ? inner + torch::tanh(sometimes(inner)) : inner);
    }
    torch::nn::Linear first = register_module("first", torch::nn::Linear(40, 50));
    torch::nn::Linear sometimes = register_module("sometimes", torch::nn::Linear(50, 50));
    torch::nn::Linear last = register_module("last", torch::nn::Linear(50, 3));
    torch::nn::Linear never = register_module("never", torch::nn::Linear(7, 7));
};
TORCH_MODULE(Parts);

constexpr int kWaysToPass = 7;

// What a loop of a program's own may do in a step, with the batches of one rank; `share`: the rank's part in the mean.
void passes(Parts& net, int rank, int step, double share) {
    const auto batch = [=](int part) {
        return torch::arange(160.0).add(31 * rank + 7 * step + 3 * part).mul(0.7).sin().view({4, 40});
    };
    const bool more = (rank + step) % 2 == 1; // not the same on all ranks, nor in all steps
    const auto loss = [&](int part) { return net(batch(part), more).square().mean() * share; };
    switch (step % kWaysToPass) {
    case 0: return loss(0).backward();
    case 1: return (loss(0) + loss(1)).backward(); // two forward passes for one backward
    case 2: {                                      // one forward pass for two
        const auto both = loss(0);
        both.backward({}, /*retain_graph=*/true);
        return both.backward();
    }
    case 3: { // the last micro-batch does not use what those before it did
        {
            const ty::NoSync alone;
            loss(0).backward();
            (net(batch(1), true).square().mean() * share).backward();
        }
        return (net(batch(2), false).square().mean() * share).backward();
    }
    case 4: { // a forward pass that nothing comes of, and a validation
        const auto dropped = loss(0);
        {
            const torch::NoGradGuard noGrad;
            net->eval();
            (void)loss(1);
            net->train();
        }
        return loss(2).backward();
    }
    case 5: { // a penalty on the gradient of the input, which is a pass within the graph
        const auto x = batch(0).requires_grad_();
        const auto slope = torch::autograd::grad({net(x, more).sum()}, {x}, {}, true, /*create_graph=*/true);
        return (slope[0].square().mean() * share).backward();
    }
    default: // some parameters of the model only
        return (net->last(batch(0).narrow(1, 0, 20).repeat({1, 3}).narrow(1, 0, 50)).square().mean() * share)
            .backward();
    }
}

// A loop of a program's own, whose gradients must be those of one process with the batches of all ranks. `bits` stands
// for all gradients and parameters on the way.
void loops(const ty::Config&) {
    Parts net, alone;
    net = ty::prepareModel(net);
    torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
    const auto& context = ty::context();
    double worst = 0;
    std::uint64_t bits = 1;
    const auto add = [&bits](const Tensor& tensor) {
        const auto* words = static_cast<const std::uint32_t*>(tensor.data_ptr());
        for (std::int64_t i = 0; i < tensor.numel(); ++i) bits = (bits ^ words[i]) * 0x100000001b3u;
    };
    for (int step = 0; step < 2 * kWaysToPass; ++step) {
        optimizer.zero_grad();
        passes(net, context.worldRank(), step, 1);
        std::vector<Tensor> wanted;
        for (std::size_t i = 0; i < net->parameters().size(); ++i) {
            alone->parameters()[i].set_data(net->parameters()[i].detach().clone());
            alone->parameters()[i].mutable_grad() = torch::zeros_like(net->parameters()[i]);
        }
        for (int rank = 0; rank < context.worldSize(); ++rank) passes(alone, rank, step, 1.0 / context.worldSize());
        for (const auto& parameter : alone->parameters()) wanted.push_back(parameter.grad());
        worst = std::max(worst, difference(*net, wanted));
        // Averages are each rank's own to change.
        if (step % 2 == 0) torch::nn::utils::clip_grad_norm_(net->parameters(), 0.05);
        for (const auto& parameter : net->parameters()) add(parameter.grad().contiguous());
        optimizer.step();
        for (const auto& parameter : net->parameters()) add(parameter.detach());
    }
    ty::report({{"worst", worst},
                {"bits", static_cast<double>(bits % 999983)}, // six digits each: a report prints no more
                {"moreBits", static_cast<double>(bits % 999979)}});
}

// Two models that learn from one another, one of them through the other.
double pairsBy(const std::string& averaging) {
    const auto make = [](int in, int out) {
        torch::nn::Linear layer(in, out);
        const torch::NoGradGuard noGrad;
        for (auto& parameter : layer->parameters())
            parameter.copy_(torch::arange(double(parameter.numel())).sin().view_as(parameter));
        return layer;
    };
    auto maker = make(4, 5), judge = make(5, 1), aloneMaker = make(4, 5), aloneJudge = make(5, 1);
    maker = ty::prepareModel(maker, {.averaging = averaging});
    judge = ty::prepareModel(judge, {.averaging = averaging});
    const auto learn = [](torch::nn::Linear& of, torch::nn::Linear& by, int rank, int step, double share) {
        const auto made = torch::tanh(of(inputOf(rank, step)));
        (by(made.detach()).square().mean() * share).backward(); // the judge alone
        (by(made).sin().mean() * share).backward();             // both
    };
    double worst = 0;
    for (int step = 0; step < 3; ++step) {
        for (auto* model : {&maker, &judge, &aloneMaker, &aloneJudge}) (*model)->zero_grad();
        learn(maker, judge, ty::context().worldRank(), step, 1);
        const int world = ty::context().worldSize();
        for (int rank = 0; rank < world; ++rank) learn(aloneMaker, aloneJudge, rank, step, 1.0 / world);
        for (const auto& [model, alone] : {std::pair(maker, aloneMaker), std::pair(judge, aloneJudge)}) {
            std::vector<Tensor> wanted;
            for (const auto& parameter : alone->parameters()) wanted.push_back(parameter.grad());
            worst = std::max(worst, difference(*model, wanted));
        }
    }
    return worst;
}

void pairs(const ty::Config& config) {
    ty::Metrics found;
    for (const auto& way : waysOf(config)) found[way] = pairsBy(way);
    ty::report(found);
}

// One process with the whole batch. The statistics of what all ranks do alike are those of one of them.
void norms(const ty::Config&) {
    const auto make = [] {
        torch::manual_seed(3);
        return torch::nn::Sequential(torch::nn::Linear(6, 5), torch::nn::BatchNorm1d(5), torch::nn::Tanh(),
                                     torch::nn::Linear(5, 1));
    };
    auto net = make(), alone = make();
    net = ty::prepareModel(net);
    const auto whole = torch::arange(48.0).mul(0.9).sin().view({8, 6});
    const auto mine = whole.chunk(ty::context().worldSize())[static_cast<std::size_t>(ty::context().worldRank())];
    net->forward(mine).square().mean().backward();
    alone->forward(whole).square().mean().backward();
    std::vector<Tensor> wanted;
    for (const auto& parameter : alone->parameters()) wanted.push_back(parameter.grad());
    ty::report({{"norms", difference(*net, wanted)}});
}

// Models and ways that do not go together.
void mismatched(const ty::Config& config) {
    Net net;
    if (config.flag("doubles")) net->to(torch::kDouble);
    ty::prepareModel(net, {.averaging = config.text("averaging")});
}

// Counts epochs over a death: what a restart finds is what was reported before it.
void restarts(const ty::Config& config) {
    Net net;
    net = ty::prepareModel(net);
    torch::optim::SGD optimizer(net->parameters(), config.number("lr"));
    std::int64_t begin = 0;
    if (const auto checkpoint = ty::getCheckpoint()) {
        Tensor epoch;
        torch::load(epoch, (checkpoint->asDirectory() / "inner/epoch.pt").string());
        begin = epoch.item<std::int64_t>() + 1;
    }
    for (std::int64_t epoch = begin; epoch < config.integer("epochs"); ++epoch) {
        optimizer.zero_grad();
        lossOf(net, ty::context().worldRank(), 0).backward();
        optimizer.step();
        if (epoch == 3 && ty::context().worldRank() == 1 && ty::context().restartCount() == 0) std::raise(SIGKILL);
        const ty::TemporaryDirectory folder;
        std::filesystem::create_directory(folder / "inner");
        torch::save(torch::tensor(epoch), (folder / "inner/epoch.pt").string());
        ty::report({{"epoch", static_cast<double>(epoch)}, {"score", epoch == 1 ? 9.0 : 1.0}},
                   ty::Checkpoint::fromDirectory(folder));
    }
}

void throws(const ty::Config&) {
    Net net;
    net = ty::prepareModel(net);
    for (int step = 1;; ++step) {
        lossOf(net, ty::context().worldRank(), 0).backward();
        if (step == 3 && ty::context().worldRank() == 1) throw std::runtime_error("the barrel is empty");
    }
}

// A thread started by the program throws: no handler can catch that.
void terminates(const ty::Config&) {
    Net net;
    net = ty::prepareModel(net);
    for (int step = 1;; ++step) {
        lossOf(net, ty::context().worldRank(), 0).backward();
        if (step == 3 && ty::context().worldRank() == 1)
            std::thread([] { throw std::runtime_error("the wheel came off"); }).join();
    }
}

// One rank goes without a word when the others have a step to go.
void uneven(const ty::Config&) {
    Net net;
    net = ty::prepareModel(net);
    for (int step = 1; step < 4 - ty::context().worldRank(); ++step) lossOf(net, 0, step).backward();
}

void endless(const ty::Config&) {
    Net net;
    net = ty::prepareModel(net);
    for (int step = 0;; ++step) {
        lossOf(net, ty::context().worldRank(), 0).backward();
        ty::report({{"epoch", step}});
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

int tell(const ty::Result& result) {
    std::cout << "error=" << (result.error ? result.error->kind + ": " + result.error->text() : "none")
              << "\nmetrics=" << ty::toText(result.metrics) << "\nrestarts=" << result.restarts
              << "\nhistory=" << result.metricsHistory.size() << "\n";
    if (result.checkpoint && std::filesystem::exists(result.checkpoint->asDirectory() / "inner/epoch.pt")) {
        Tensor epoch;
        torch::load(epoch, (result.checkpoint->asDirectory() / "inner/epoch.pt").string());
        std::cout << "checkpointEpoch=" << epoch.item<std::int64_t>()
                  << "\nbestEpoch=" << result.bestCheckpoints.front().metrics.at("epoch") << "\n";
    }
    return result.error ? 1 : 0;
}

// The second run is made of what came of the first, in the ranks as well.
int twice(const ty::TrainerOptions& options) {
    const auto reportTwice = [](const ty::Config& config) { ty::report({{"value", 2 * config.number("value")}}); };
    auto first = options;
    first.loopConfig = {{"value", 3}};
    const auto one = ty::TorchTrainer(reportTwice, first).fit();
    if (one.error) return tell(one);
    const double value = one.metrics.at("value");
    return tell(ty::TorchTrainer([&](const ty::Config&) { ty::report({{"value", value + 1}}); }, options).fit());
}

// With `dies`, rank 1 is killed in the second epoch; nothing that train() returns may differ. With `slow`, a rank's
// model is not made in a moment.
int creators(const ty::TrainerOptions& options, bool dies, bool slow) {
    ty::CreatorTrainer trainer({
        .modelCreator =
            [slow](const ty::Config&) {
                if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
                return torch::nn::Linear(4, 3);
            },
        .dataCreator =
            [](const ty::Config&) {
                const auto data = torch::arange(80.0).view({20, 4}).sin();
                ty::DataLoader train(ty::Samples(data, torch::arange(20).remainder(3)),
                                     {.batchSize = 2, .shuffle = true});
                return std::pair<ty::AnyLoader, ty::AnyLoader>(train, train);
            },
        .optimizerCreator =
            [](const ty::AnyNetwork& model, const ty::Config& config) {
                return std::make_shared<torch::optim::SGD>(model->parameters(),
                                                           torch::optim::SGDOptions(config.number("lr")).momentum(0.9));
            },
        .lossCreator = [dies](const ty::Config&) -> ty::Loss {
            return [dies, calls = 0](const Tensor& output, const Tensor& target) mutable {
                const bool now =
                    dies && ++calls == 7 && ty::context().worldRank() == 1 && ty::context().restartCount() == 0;
                if (now) std::raise(SIGKILL);
                return torch::nn::functional::cross_entropy(output, target);
            };
        },
        .config = {{"lr", 0.1}},
        .scaling = options.scaling,
        .run = options.run,
    });
    std::cout << "first=" << ty::toText(trainer.train()) << "\n";
    const auto state = trainer.stateDict();
    std::cout << "second=" << ty::toText(trainer.train()) << "\nvalidated=" << ty::toText(trainer.validate()) << "\n";
    trainer.loadStateDict(state);
    std::cout << "again=" << ty::toText(trainer.train()) << "\nstateEpoch=" << state.epoch()
              << "\nstateTensors=" << state.model().size() << "\n";
    return tell(trainer.shutdown()) || !state.tensors.contains("optimizer");
}

int run(const std::string& scenario, ty::TrainerOptions options) {
    const auto fit = [&](void (*function)(const ty::Config&)) {
        return tell(ty::TorchTrainer(function, options).fit());
    };
    const std::string averaging = scenario.substr(scenario.rfind('-') + 1);
    if (scenario == "gradients" || scenario == "pairs") {
        options.loopConfig = {{"averaging", "auto shared buckets reducer"}};
        return fit(scenario == "pairs" ? pairs : gradients);
    }
    if (scenario == "compressed") {
        options.scaling.compression = "bf16";
        options.loopConfig = {{"averaging", "buckets"}};
        return fit(gradients);
    }
    if (scenario.starts_with("loops")) {
        options.scaling.averaging = averaging;
        options.scaling.numWorkers = scenario.starts_with("loops-3") ? 3 : 2;
        return fit(loops);
    }
    options.scaling.syncBatchNorm = scenario == "norms-together";
    if (scenario.starts_with("norms")) return fit(norms);
    if (scenario.starts_with("mismatched")) {
        options.loopConfig = {{"averaging", averaging}, {"doubles", averaging == "shared"}};
        if (averaging == "reducer") options.scaling.compression = "fp16";
        return fit(mismatched);
    }
    if (scenario == "loaders") return fit(loaders);
    if (scenario == "tasks") return fit(tasks);
    if (scenario == "means") return fit(means);
    if (scenario == "unlike-metrics") return fit(unlikeMetrics);
    options.run.failure.maxFailures = scenario == "restarts" || scenario == "creators-die" ? 2 : 0;
    options.run.checkpoint = {.numToKeep = 2, .scoreAttribute = "score"};
    options.loopConfig = {{"epochs", 6}, {"lr", 1e-3}};
    if (scenario == "restarts") return fit(restarts);
    if (scenario == "throws") return fit(throws);
    if (scenario == "terminates") return fit(terminates);
    if (scenario == "uneven") return fit(uneven);
    if (scenario == "endless") return fit(endless);
    if (scenario == "twice") return twice(options);
    if (scenario == "creators-reducer") options.scaling.averaging = averaging;
    if (scenario.starts_with("creators"))
        return creators(options, scenario == "creators-die", scenario == "creators-slow");
    if (scenario == "missing-key") {
        options.loopConfig = {{"epoch", 6}, {"lr", 1e-3}};
        options.run.failure.maxFailures = 2;
        return fit(restarts);
    }
    if (scenario == "bad-workers" || scenario == "bad-rank") {
        if (scenario == "bad-rank") options.scaling.compressionRank = 0;
        else options.scaling.numWorkers = 0;
        return fit(restarts);
    }
    std::cerr << "no scenario " << scenario << "\n";
    return 2;
}

// As a program of that name would be called.
int mainOf(const std::string& scenario) {
    std::cout << "main of " << scenario << std::endl; // in the ranks too: must not harm
    try {
        return run(scenario, {.scaling = {.numWorkers = 2}, .run = {.name = scenario}});
    } catch (const std::exception& e) {
        std::cout << "thrown=" << e.what() << "\n";
        return 1;
    }
}

// Tells the ranks what to do, which are started with the words of the process that they come from.
constexpr const char* kScenario = "API_PROGRAM_SCENARIO";

// A scenario for each line of standard input, one after another, each in a process of its own: forked, as loading
// LibTorch takes longer than most of them. The ranks are programs that are started.
int serve() {
    for (std::string scenario; std::getline(std::cin, scenario);) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv(kScenario, scenario.c_str(), 1);
            std::exit(mainOf(scenario));
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        std::cout << "end of " << scenario << ": " << (WIFEXITED(status) ? WEXITSTATUS(status) : -1) << std::endl;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (const char* scenario = std::getenv(kScenario)) return mainOf(scenario);
    if (argc != 2) return 2;
    return std::string(argv[1]) == "serve" ? serve() : mainOf(argv[1]);
}
