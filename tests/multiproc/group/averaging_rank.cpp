// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of ddp_averaging_test: average gradients with one another and compare them with what one process computes
// on the joined batch.
//   averaging_rank < lines "WORLD FOLDER gradient|unused|steps|left-out|sync-norm|during AVERAGER MODEL ACCUMULATE
//                           BUCKET_BYTES [KEY=VALUE ...]"
// Each line is a job: its ranks are forked, so that LibTorch is loaded once, and rank R writes "key value" lines to
// FOLDER/R.txt. The answer is "done", or "failed" and the reasons on stderr.
// Keys: optimizer, clipNorm, clipValue, compression, rank (of powersgd's matrices), from (steps done before), poison (a
// step whose batch is NaN), hosts (pretends so many).
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/averaging/sync_batch_norm.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/torch/models/model.h"
#include "tests/multiproc/group/averaging_survivors.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <malloc.h>
#include <map>
#include <sstream>

namespace {

using namespace trainyard;
using optim::NamedTensors;
using train::GradientAverager;

struct Task {
    int rank = 0, world = 1;
    std::string folder, scenario, kind, model;
    std::int64_t accumulate = 1, bucketBytes = 0;
    std::map<std::string, std::string> more{};
    std::string text(const char* key, const char* standard) const {
        const auto found = more.find(key);
        return found == more.end() ? standard : found->second;
    }
    double number(const char* key) const { return std::atof(text(key, "0").c_str()); }
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

// A weight that two layers share, one that is frozen, one that is unused.
class Mixed final : public models::Model {
public:
    Mixed() {
        m_shared = register_parameter("first", torch::randn({8, 8}));
        m_bias = register_parameter("bias", torch::randn({8}));
        m_frozen = register_parameter("frozen", torch::randn({8, 8}), /*requires_grad=*/false);
        register_parameter("again", m_shared);
        register_parameter("never", torch::randn({3}));
    }
    torch::Tensor forward(torch::Tensor x) override {
        x = torch::relu(torch::linear(x, m_shared, m_bias));
        return torch::linear(torch::relu(torch::linear(x, m_frozen)), m_shared);
    }

private:
    torch::Tensor m_shared, m_bias, m_frozen;
};

// Calls back in the middle of backward: the gradients of the second half are there, those of the first are not.
class Halves final : public models::Model {
public:
    static constexpr std::int64_t kMiddle = 4096;
    Halves() {
        m_first = register_module("first", torch::nn::Linear(8, kMiddle));
        m_second = register_module("second", torch::nn::Linear(kMiddle, 4));
    }
    torch::Tensor forward(torch::Tensor x) override {
        x = torch::relu(m_first(x));
        if (between && x.requires_grad()) x.register_hook([this](const torch::Tensor&) { between(); });
        return m_second(x);
    }
    std::function<void()> between;

private:
    torch::nn::Linear m_first{nullptr}, m_second{nullptr};
};

// What this process has sent over its TCP connections.
std::uint64_t bytesSent() {
    std::uint64_t bytes = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
        tcp_info facts{};
        socklen_t size = sizeof facts;
        const int fd = std::atoi(entry.path().filename().c_str());
        if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &facts, &size) == 0) bytes += facts.tcpi_bytes_acked;
    }
    return bytes;
}

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
        torch::manual_seed(100 +
                           static_cast<std::uint64_t>(m_task.rank)); // other weights on each rank, until broadcast
        if (m_task.model == "branching") {
            m_shape = {8};
            m_model = std::make_shared<Branching>(m_task.rank);
        } else if (m_task.model == "mixed") {
            m_shape = {8};
            m_model = std::make_shared<Mixed>();
        } else if (m_task.model == "halves") {
            m_shape = {8};
            m_model = std::make_shared<Halves>();
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
        spec::Choice choice{m_task.text("optimizer", "sgd"), {{"lr", 0.05}}};
        if (choice.name == "sgd" && m_task.scenario == "steps") choice.params["momentum"] = 0.9;
        m_optimizer = optim::makeOptimizer(choice, m_parameters).value();
        train::AveragerOptions options{m_task.kind, m_task.bucketBytes};
        options.compression.kind = m_task.text("compression", "none");
        options.compression.rank = std::atoll(m_task.text("rank", "2").c_str());
        options.compression.step = static_cast<std::int64_t>(m_task.number("from"));
        auto averager = train::makeAverager(m_group, *m_optimizer, options, m_progress).value();
        std::printf("description %s\n", averager.description.c_str());
        m_averager = std::move(averager.averager);
        torch::manual_seed(7); // the same data everywhere
    }

    void run() {
        if (m_task.scenario == "steps") return steps();
        if (m_task.scenario == "left-out") return compareWhatComesInTheEnd();
        if (m_task.scenario == "sync-norm") return compareNorms();
        if (m_task.scenario == "during") return sendDuringBackward();
        m_model->train();
        compareWithShards();
        if (m_task.model == "branching" || m_task.model == "mixed") return;
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
            m_averager->prepareBackward();
            loss.backward();
        }
    }

    // The averaged gradients. An update of weights that are zero, at a rate of 1, shows them to the bit.
    NamedTensors average() {
        forwardBackward();
        const torch::NoGradGuard noGrad;
        m_group.barrier(); // weights in shared memory: other ranks may still compute with them
        std::vector<torch::Tensor> weights;
        for (const auto& [name, parameter] : m_parameters) weights.push_back(parameter.detach().clone());
        m_group.barrier();
        for (const auto& [name, parameter] : m_parameters) parameter.detach().zero_();
        const auto report = m_averager->finishStep(
            {.lr = 1, .clipNorm = m_task.number("clipNorm"), .clipValue = m_task.number("clipValue")});
        if (report.gradNorm) std::printf("norm %.9g\n", *report.gradNorm);
        NamedTensors gradients;
        for (const auto& [name, parameter] : m_parameters) gradients.emplace_back(name, parameter.neg());
        m_group.barrier();
        for (std::size_t i = 0; i < weights.size(); ++i) m_parameters[i].second.copy_(weights[i]);
        m_group.barrier();
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
        std::printf("shards %.3g\n", worstDifference(averaged, clipped(mean)));
        printAgreement(averaged);
    }

    void compareWithJoinedBatch() {
        makeBatch();
        const auto averaged = average();
        const auto whole = gradientOf(lossOf(m_model->forward(m_inputs), m_targets));
        std::printf("joined %.3g\n", worstDifference(averaged, clipped(whole)));
        if (m_task.number("clipNorm") > 0) compareWithStockClipping(averaged, whole);
        printAgreement(averaged);
    }

    static double normOf(const std::vector<torch::Tensor>& gradients) {
        double squares = 0;
        for (const auto& gradient : gradients) squares += gradient.to(torch::kDouble).square().sum().item<double>();
        return std::sqrt(squares);
    }

    // What the task's limits make of them: the norm is brought down first, then each element, as clip_grad_norm_ and
    // clip_grad_value_ after it do. In double.
    std::vector<torch::Tensor> clipped(std::vector<torch::Tensor> gradients) const {
        const double limit = m_task.number("clipNorm"), largest = m_task.number("clipValue");
        const double factor = limit > 0 ? std::min(1.0, limit / (normOf(gradients) + 1e-6)) : 1;
        for (auto& gradient : gradients) {
            if (factor < 1) gradient = (gradient.to(torch::kDouble) * factor).to(torch::kFloat);
            if (largest > 0) gradient = gradient.clamp(-largest, largest);
        }
        return gradients;
    }

    // LibTorch's function takes the norm in float: how far that is off is told beside it.
    void compareWithStockClipping(const NamedTensors& averaged, const std::vector<torch::Tensor>& whole) {
        std::vector<torch::Tensor> holders, stock;
        for (const auto& gradient : whole) {
            holders.push_back(torch::zeros_like(gradient));
            holders.back().mutable_grad() = gradient.clone();
        }
        const double norm = torch::nn::utils::clip_grad_norm_(holders, m_task.number("clipNorm"));
        for (const auto& holder : holders) stock.push_back(holder.grad());
        std::printf("stock %.3g\nstock-norm %.3g\n", worstDifference(averaged, stock),
                    std::abs(norm / normOf(whole) - 1));
    }

    void printAgreement(const NamedTensors& averaged) {
        const auto digests = m_group.gatherText(train::digest(averaged));
        bool same = true;
        for (const auto& each : digests) same = same && each == digests.front();
        std::printf("ranks %s\n", same ? "equal" : "differ");
    }

    void steps() {
        m_model->train();
        double norm = 0;
        int skipped = 0;
        const int count = m_task.model == "resnet18" ? 8 : 20; // some hundred times the others' work
        for (int step = 0; step < count; ++step) {
            makeBatch();
            if (m_task.number("poison") == step + 1 && m_task.rank == 0)
                m_inputs.fill_(std::numeric_limits<double>::quiet_NaN());
            forwardBackward();
            const auto report = m_averager->finishStep({.lr = 0.05,
                                                        .clipNorm = m_task.number("clipNorm"),
                                                        .clipValue = m_task.number("clipValue"),
                                                        .wantNorm = step % 2 == 0,
                                                        .skipNonFinite = m_task.number("poison") > 0});
            skipped += report.skipped ? 1 : 0;
            if (report.gradNorm && !report.skipped) norm += *report.gradNorm;
        }
        auto state = m_optimizer->slotTensors();
        std::printf("parameters %s\nstate %s\nnorm %a\nskipped %d\n", train::digest(m_parameters).c_str(),
                    train::digest(state).c_str(), norm, skipped);
        const auto digests = m_group.gatherText(train::digest(m_parameters)); // no rank leaves before all have read
        m_averager.reset();
        std::printf("kept %s\n", train::digest(m_parameters) == digests.front() ? "yes" : "no");
    }

    // What has come in some steps, and what each matrix has left out of them, is all that there was.
    void compareWhatComesInTheEnd() {
        std::vector<torch::Tensor> came, truth;
        const auto addTo = [](std::vector<torch::Tensor>& sums, std::size_t i, const torch::Tensor& each) {
            if (sums.size() <= i) sums.push_back(torch::zeros_like(each));
            sums[i] += each;
        };
        for (int step = 1; step <= 6; ++step) {
            makeBatch();
            const bool poisoned = m_task.number("poison") == step;
            const auto inputs = m_inputs.clone();
            if (poisoned && m_task.rank == 1) m_inputs.fill_(std::numeric_limits<double>::infinity());
            const auto averaged = average();
            bool finite = true;
            for (const auto& [name, each] : averaged) finite = finite && torch::isfinite(each).all().item<bool>();
            if (finite == poisoned) std::printf("surprise %d\n", step);
            if (poisoned) continue;
            const auto whole = gradientOf(lossOf(m_model->forward(inputs), m_targets));
            for (std::size_t i = 0; i < whole.size(); ++i) {
                addTo(came, i, averaged[i].second);
                addTo(truth, i, whole[i]);
            }
        }
        NamedTensors all;
        for (std::size_t i = 0; i < came.size(); ++i) all.emplace_back(m_parameters[i].first, came[i]);
        printAgreement(all);
        std::printf("early %.3g\n", worstDifference(all, truth));
        const auto carried = m_averager->shareCarried();
        if (m_task.rank != 0) return; // of several on a host only the first has it
        for (auto& [name, sum] : all)
            for (const auto& [of, leftOut] : carried)
                if (of == name + ".leftOut") sum += leftOut.view(sum.sizes());
        std::printf("joined %.3g\n", worstDifference(all, truth));
    }

    // Backward stands still in its middle until half of what the second half takes with 16 bits has gone.
    void sendDuringBackward() {
        auto& model = dynamic_cast<Halves&>(*m_model);
        bool gone = false;
        model.between = [&, before = bytesSent()] {
            for (int look = 0; look < 2'000 && !gone; ++look) {
                gone = bytesSent() - before > Halves::kMiddle * 4;
                if (!gone) ::usleep(10'000);
            }
        };
        makeBatch();
        printAgreement(average());
        std::printf("during %s\n", gone ? "yes" : "no");
    }

    // Batch normalisation over the ranks' parts of a batch, against one process with the whole.
    void compareNorms() {
        m_model->train();
        makeBatch();
        std::vector<torch::Tensor> before;
        for (const auto& buffer : m_model->buffers()) before.push_back(buffer.clone());
        NamedTensors averaged;
        {
            const train::SyncBatchNorm together(m_group);
            averaged = average();
        }
        NamedTensors statistics;
        std::vector<torch::Tensor> wanted;
        for (auto& buffer : m_model->named_buffers()) {
            statistics.emplace_back(buffer.key(), buffer.value().clone().to(torch::kFloat));
            buffer.value().copy_(before[statistics.size() - 1]);
        }
        const auto whole = gradientOf(lossOf(m_model->forward(m_inputs), m_targets));
        for (const auto& buffer : m_model->buffers()) wanted.push_back(buffer.to(torch::kFloat));
        std::printf("joined %.3g\nstatistics %.3g\n", worstDifference(averaged, whole),
                    worstDifference(statistics, wanted));
        printAgreement(averaged);
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

// What a forked rank does; its exit code.
int work(const Task& task) {
    const std::string output = task.folder + "/" + std::to_string(task.rank) + ".txt";
    if (!std::freopen(output.c_str(), "w", stdout)) return 4;
    if (const int hosts = static_cast<int>(task.number("hosts")); hosts > 0)
        ::setenv("TRAINYARD_HOST", std::to_string(task.rank * hosts / task.world).c_str(), 1);
    try {
        at::set_num_threads(1);
        Rank rank(task);
        rank.run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return std::fflush(stdout) == 0 ? 0 : 4;
}

bool serve(const std::string& line) {
    std::istringstream words(line);
    Task task;
    words >> task.world >> task.folder >> task.scenario >> task.kind >> task.model >> task.accumulate >>
        task.bucketBytes;
    if (!words) return false;
    for (std::string word; words >> word;) task.more[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    std::vector<pid_t> children;
    for (task.rank = 0; task.rank < task.world; ++task.rank) {
        const pid_t child = ::fork();
        if (child == 0) std::_Exit(work(task));
        children.push_back(child);
    }
    bool good = true;
    for (const pid_t child : children) {
        int status = 0;
        good = ::waitpid(child, &status, 0) == child && status == 0 && good;
    }
    return good;
}

} // namespace

int main(int argc, char** argv) {
    // Memory as ranks have it that come from the pool: half of the time went into fresh pages.
    kernels::useMemoryPool();
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    if (argc == 5 && std::string(argv[1]) == "survive")
        return test::surviveKills(std::atoi(argv[2]), std::atoi(argv[3]), argv[4]);
    for (std::string line; std::getline(std::cin, line);) std::cout << (serve(line) ? "done" : "failed") << std::endl;
    return 0;
}
