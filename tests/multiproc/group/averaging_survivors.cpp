// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that share memory, one of which is killed at a random instant, over and over. The survivors must then hold the
// state of a complete step, equal to the state after that step in an undisturbed run. Every few steps a state is
// pinned, as for a checkpoint, and must not change before the next one is pinned.
//   averaging_rank survive ROUNDS RANKS OPTIMIZER
// Prints "round STEP DIGEST" for each survivor, "reference STEP DIGEST" for each step that was asked for, and "killed
// N".
#include "tests/multiproc/group/averaging_survivors.h"

#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/peer_lost.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <set>
#include <thread>

namespace trainyard::test {
namespace {

using optim::NamedTensors;

struct Job {
    std::string folder, optimizer;
    int ranks = 2;
};

// Some weights, gradients that are a function of weights, rank and step, and an averager in shared memory.
class Walker {
public:
    Walker(const Job& job, int rank) : m_rank(rank), m_group(meet(job, rank)) {
        torch::manual_seed(5);
        m_parameters = {{"a", torch::randn({300, 211}).requires_grad_()}, {"b", torch::randn({1023}).requires_grad_()}};
        spec::Choice choice{job.optimizer, {{"lr", 0.01}, {"weightDecay", 0.01}}};
        if (job.optimizer == "sgd") choice.params["momentum"] = 0.9;
        m_optimizer = optim::makeOptimizer(choice, m_parameters).value();
        train::AveragerOptions options;
        options.kind = "shared";
        options.waitSeconds = 60;
        options.pins = true;
        m_averager = std::move(train::makeAverager(m_group, *m_optimizer, options, m_progress).value().averager);
    }

    void step(std::int64_t number) {
        m_averager->prepareForward(true);
        const double push = number % 13 == 0 ? std::numeric_limits<double>::infinity()
                                             : static_cast<double>((number * 7 + m_rank * 3) % 11) - 5;
        auto loss = torch::zeros({});
        for (const auto& [name, parameter] : m_parameters)
            loss = loss + (parameter.square() * 0.5 + parameter * push).sum();
        m_averager->prepareBackward();
        loss.backward();
        // Every third step goes through the norm as well, and some are skipped for a gradient that is not finite.
        m_averager->finishStep({.lr = 0.01, .clipNorm = number % 3 == 0 ? 50.0 : 0.0, .skipNonFinite = true});
        if (number % 5 != 1 && number % 7 != 2) return; // apart, one after the other, and on steps that were skipped
        checkPinned();
        m_averager->pin();
        m_pinned.clear();
        for (const auto& [name, live] : state()) m_pinned.emplace_back(name, m_averager->pinned(live));
        m_pinnedDigest = train::digest(state());
        checkPinned();
    }

    // Throws when it has changed.
    void checkPinned() const {
        if (!m_pinned.empty() && train::digest(m_pinned) != m_pinnedDigest)
            throw std::runtime_error("the pinned state has changed");
    }

    std::int64_t settle() { return m_averager->settle(); }
    void leave() { m_averager.reset(); }
    std::string digest() const {
        auto tensors = state();
        tensors.emplace_back("steps", torch::tensor(m_optimizer->steps()));
        return train::digest(tensors);
    }

private:
    NamedTensors state() const {
        auto tensors = m_parameters;
        for (const auto& slot : m_optimizer->slotTensors()) tensors.push_back(slot);
        return tensors;
    }
    static train::ProcessGroup meet(const Job& job, int rank) {
        const train::compat::StorePtr store = c10::make_intrusive<c10d::FileStore>(job.folder + "/store", job.ranks);
        return std::move(train::ProcessGroup::make(store, {.rank = rank, .worldSize = job.ranks})).value();
    }

    int m_rank;
    train::ProcessGroup m_group;
    train::Progress m_progress;
    NamedTensors m_parameters;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    std::unique_ptr<train::GradientAverager> m_averager;
    NamedTensors m_pinned;
    std::string m_pinnedDigest;
};

void write(int fd, const std::string& line) {
    [[maybe_unused]] const auto written = ::write(fd, line.data(), line.size()); // short enough to be whole
}

// Takes so many steps and says so; goes on until a peer is lost, then tells which step it holds and what.
[[noreturn]] void survive(const Job& job, int rank, std::int64_t steps, int fd) {
    try {
        Walker walker(job, rank);
        std::int64_t number = 0;
        while (number < steps) walker.step(++number);
        write(fd, "go\n");
        try {
            while (true) walker.step(++number);
        } catch (const train::PeerLost& e) {
            const auto step = walker.settle();
            const std::string shared = walker.digest();
            walker.leave();
            const bool same = shared == walker.digest(); // now in memory of its own
            walker.checkPinned();
            write(fd, "round " + std::to_string(step) + " " + (same ? shared : "changed-when-it-left") + "\n");
            ::_exit(0); // a group with a lost member cannot be taken down in order
        }
    } catch (const std::exception& e) { write(fd, std::string("error ") + e.what() + "\n"); }
    ::_exit(0);
}

// The same steps without a disturbance; rank 0 tells the digests of the steps in question.
[[noreturn]] void refer(const Job& job, int rank, const std::set<std::int64_t>& steps, int fd) {
    try {
        Walker walker(job, rank);
        if (steps.contains(0) && rank == 0) write(fd, "reference 0 " + walker.digest() + "\n");
        for (std::int64_t number = 1; !steps.empty() && number <= *steps.rbegin(); ++number) {
            walker.step(number);
            if (steps.contains(number) && rank == 0)
                write(fd, "reference " + std::to_string(number) + " " + walker.digest() + "\n");
        }
    } catch (const std::exception& e) { write(fd, std::string("error ") + e.what() + "\n"); }
    ::_exit(0);
}

class Pipe {
public:
    Pipe() {
        if (::pipe(m_ends.data()) != 0) std::abort();
    }
    ~Pipe() {
        closeWriting();
        ::close(m_ends[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int writing() const { return m_ends[1]; }
    void closeWriting() {
        if (m_ends[1] >= 0) ::close(m_ends[1]);
        m_ends[1] = -1;
    }
    // The next line; empty at the end.
    std::string line() {
        std::string text;
        char c = 0;
        while (::read(m_ends[0], &c, 1) == 1 && c != '\n') text += c;
        return text;
    }

private:
    std::array<int, 2> m_ends{-1, -1};
};

template <class Work>
std::vector<pid_t> forkRanks(int ranks, const Work& work) {
    std::vector<pid_t> children;
    for (int rank = 0; rank < ranks; ++rank) {
        const pid_t child = ::fork();
        if (child == 0) work(rank);
        children.push_back(child);
    }
    return children;
}

} // namespace

int surviveKills(int rounds, int ranks, const std::string& optimizer) {
    std::mt19937 random(11);
    std::set<std::int64_t> steps;
    const auto folder = std::filesystem::temp_directory_path() / ("survivors-" + std::to_string(::getpid()));
    int killed = 0;
    for (int round = 0; round <= rounds; ++round) {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        const Job job{folder.string(), optimizer, ranks};
        Pipe pipe;
        const bool last = round == rounds;
        const auto children = forkRanks(ranks, [&](int rank) {
            if (last) refer(job, rank, steps, pipe.writing());
            survive(job, rank, round % 17, pipe.writing());
        });
        pipe.closeWriting();
        if (!last) {
            for (int rank = 0; rank < ranks; ++rank) // all are in the midst of their steps
                if (const auto line = pipe.line(); line != "go") std::printf("error: %s\n", line.c_str());
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 8'000));
            const auto victim = children[random() % children.size()];
            if (::kill(victim, SIGKILL) == 0) ++killed;
        }
        for (std::string line; !(line = pipe.line()).empty();) {
            std::printf("%s\n", line.c_str());
            if (line.starts_with("round ")) steps.insert(std::atoll(line.c_str() + 6));
        }
        for (const auto child : children) ::waitpid(child, nullptr, 0);
    }
    std::filesystem::remove_all(folder);
    std::printf("killed %d\n", killed);
    return 0;
}

} // namespace trainyard::test
