// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of ddp_averaging_test: averages gradients with the other ranks and compares them with what one process
// computes on the joined batch. Prints "key value" lines.
//   averaging_rank RANK WORLD FOLDER gradient|steps|unused buckets|reducer MODEL ACCUMULATE BUCKET_BYTES
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/models/model.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace {

using namespace trainyard;
using optim::NamedTensors;
using train::GradientAverager;

struct Task {
    int rank = 0, world = 1;
    std::string folder, scenario, kind, model;
    std::int64_t accumulate = 1, bucketBytes = 0;
};

// Some parameters serve one rank only, one serves none.
class Branching final : public models::Model {
public:
    explicit Branching(int rank) : m_rank(rank) {
        m_trunk = register_module("trunk", torch::nn::Linear(8, 16));
        m_heads = {register_module("even", torch::nn::Linear(16, 4)), register_module("odd", torch::nn::Linear(16, 4)),
                   register_module("never", torch::nn::Linear(16, 4))};
    }
    torch::Tensor forward(torch::Tensor x) override { return forwardOf(m_rank, x); }
    torch::Tensor forwardOf(int rank, const torch::Tensor& x) {
        return m_heads[static_cast<std::size_t>(rank % 2)](torch::relu(m_trunk(x)));
    }

private:
    int m_rank;
    torch::nn::Linear m_trunk{nullptr};
    std::vector<torch::nn::Linear> m_heads;
};

torch::Tensor lossOf(const torch::Tensor& logits, const torch::Tensor& targets) {
    return torch::nn::functional::cross_entropy(logits, targets);
}

double worstDifference(const NamedTensors& got, const std::vector<torch::Tensor>& want) {
    double largest = 1e-12, worst = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        largest = std::max(largest, want[i].abs().max().item<double>());
        worst = std::max(worst, (got[i].second - want[i]).abs().max().item<double>());
    }
    return worst / largest;
}

class Rank {
public:
    explicit Rank(Task task) : m_task(std::move(task)), m_group(join(m_task)) {
        torch::manual_seed(100 + static_cast<std::uint64_t>(m_task.rank)); // other weights on each rank, until broadcast
        if (m_task.model == "branching") {
            m_shape = {8};
            m_model = std::make_shared<Branching>(m_task.rank);
        } else {
            const bool dense = m_task.model == "mlp";
            m_shape = dense ? std::vector<std::int64_t>{1, 28, 28} : std::vector<std::int64_t>{3, 16, 16};
            spec::Choice choice{m_task.model, {}};
            if (!dense) choice.params["stem"] = std::string("small");
            auto made = models::makeModel(choice, {m_shape, 4});
            if (!made) {
                std::fprintf(stderr, "%s\n", made.error().text().c_str());
                std::exit(2);
            }
            m_model = *made;
        }
        broadcastState();
        m_parameters = optim::namedParameters(*m_model);
        train::AveragerOptions options{m_task.kind, m_task.bucketBytes, m_task.model == "branching"};
        const double momentum = m_task.scenario == "steps" ? 0.9 : 0;
        m_optimizer = optim::makeOptimizer({"sgd", {{"lr", 0.05}, {"momentum", momentum}}}, m_parameters).value();
        auto averager = train::makeAverager(m_group, *m_optimizer, options, m_progress).value();
        std::printf("description %s\n", averager.description.c_str());
        m_averager = std::move(averager.averager);
        torch::manual_seed(7); // the same data everywhere
    }

    void run() {
        if (m_task.scenario == "steps") return steps();
        m_model->train();
        compareWithShards();
        if (m_task.model == "branching") return;
        broadcastState(); // batch norm's statistics are each rank's own until then
        m_model->eval();  // batch norm then works sample by sample, so that one joined batch gives the same mean
        compareWithJoinedBatch();
    }

private:
    static constexpr std::int64_t kMicro = 4;

    static train::ProcessGroup join(const Task& task) {
        const train::compat::StorePtr store = c10::make_intrusive<c10d::FileStore>(task.folder + "/store", task.world);
        auto group = train::ProcessGroup::make(store, {.rank = task.rank, .worldSize = task.world});
        if (!group) {
            std::fprintf(stderr, "%s\n", group.error().text().c_str());
            std::exit(3);
        }
        return *group;
    }

    void broadcastState() {
        NamedTensors all;
        for (const auto& item : m_model->named_parameters()) all.emplace_back(item.key(), item.value());
        for (const auto& item : m_model->named_buffers()) all.emplace_back(item.key(), item.value());
        train::broadcastTensors(m_group, all);
    }

    void makeBatch() {
        auto shape = m_shape;
        shape.insert(shape.begin(), kMicro * m_task.accumulate * m_task.world);
        m_inputs = torch::randn(shape);
        m_targets = torch::randint(4, {shape[0]});
    }

    torch::Tensor part(const torch::Tensor& whole, int rank, std::int64_t pass) const {
        return whole.narrow(0, (rank * m_task.accumulate + pass) * kMicro, kMicro);
    }

    void forwardBackward() {
        for (std::int64_t pass = 0; pass < m_task.accumulate; ++pass) {
            const bool last = pass + 1 == m_task.accumulate;
            m_averager->prepareForward(last);
            auto loss = lossOf(m_model->forward(part(m_inputs, m_task.rank, pass)), part(m_targets, m_task.rank, pass));
            loss = loss / static_cast<double>(m_task.accumulate);
            m_averager->prepareBackward({loss});
            loss.backward();
        }
    }

    // The averaged gradients. An update of weights that are zero, at a rate of 1, shows them to the bit.
    NamedTensors average() {
        forwardBackward();
        const torch::NoGradGuard noGrad;
        std::vector<torch::Tensor> weights;
        for (const auto& [name, parameter] : m_parameters) {
            weights.push_back(parameter.detach().clone());
            parameter.detach().zero_();
        }
        m_averager->finishStep({.lr = 1});
        NamedTensors gradients;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const auto parameter = m_parameters[i].second.detach();
            gradients.emplace_back(m_parameters[i].first, parameter.neg());
            parameter.copy_(weights[i]);
        }
        return gradients;
    }

    std::vector<torch::Tensor> gradientOf(const torch::Tensor& loss) {
        std::vector<torch::Tensor> inputs;
        for (const auto& [name, parameter] : m_parameters) inputs.push_back(parameter);
        auto gradients = torch::autograd::grad({loss}, inputs, {}, /*retain_graph=*/false, /*create_graph=*/false,
                                               /*allow_unused=*/true);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (!gradients[i].defined()) gradients[i] = torch::zeros_like(inputs[i]);
        return gradients;
    }

    // Each rank's share by itself, as that rank sees it, and then the mean.
    void compareWithShards() {
        makeBatch();
        const auto averaged = average();
        std::vector<torch::Tensor> mean;
        for (int rank = 0; rank < m_task.world; ++rank)
            for (std::int64_t pass = 0; pass < m_task.accumulate; ++pass) {
                const auto inputs = part(m_inputs, rank, pass);
                auto* branching = dynamic_cast<Branching*>(m_model.get());
                const auto logits = branching ? branching->forwardOf(rank, inputs) : m_model->forward(inputs);
                const auto gradients = gradientOf(lossOf(logits, part(m_targets, rank, pass)));
                const double share = 1.0 / static_cast<double>(m_task.world * m_task.accumulate);
                for (std::size_t i = 0; i < gradients.size(); ++i) {
                    if (mean.size() <= i) mean.push_back(torch::zeros_like(gradients[i]));
                    mean[i] += gradients[i] * share;
                }
            }
        std::printf("shards %.3g\n", worstDifference(averaged, mean));
        printAgreement(averaged);
    }

    void compareWithJoinedBatch() {
        makeBatch();
        const auto averaged = average();
        const auto whole = gradientOf(lossOf(m_model->forward(m_inputs), m_targets));
        std::printf("joined %.3g\n", worstDifference(averaged, whole));
        printAgreement(averaged);
    }

    void printAgreement(const NamedTensors& averaged) {
        const auto digests = m_group.gatherText(train::digest(averaged));
        bool same = true;
        for (const auto& each : digests) same = same && each == digests.front();
        std::printf("ranks %s\n", same ? "equal" : "differ");
    }

    void steps() {
        m_model->train();
        for (int step = 0; step < 20; ++step) {
            makeBatch();
            forwardBackward();
            m_averager->finishStep({.lr = 0.05});
        }
        std::printf("parameters %s\n", train::digest(m_parameters).c_str());
    }

    Task m_task;
    train::ProcessGroup m_group;
    train::Progress m_progress;
    std::vector<std::int64_t> m_shape;
    std::shared_ptr<models::Model> m_model;
    NamedTensors m_parameters;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    std::unique_ptr<GradientAverager> m_averager;
    torch::Tensor m_inputs, m_targets;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 9) return 2;
    try {
        at::set_num_threads(1);
        Rank rank({std::atoi(argv[1]), std::atoi(argv[2]), argv[3], argv[4], argv[5], argv[6], std::atoll(argv[7]),
                   std::atoll(argv[8])});
        rank.run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
