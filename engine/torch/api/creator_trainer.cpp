// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's side of a CreatorTrainer.
#include "engine/base/json_text.h"
#include "engine/run/launch/socket_path.h"
#include "engine/torch/api/creator_rank.h"
#include "engine/torch/api/driver_line.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/run_driver.h"
#include "trainyard/creator.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <vector>

namespace trainyard::train {

class CreatorTrainer::Driver {
public:
    Driver(const CallPosition& call, const CreatorOptions& options)
        : m_socket(valueOrRaise(run::socketFolder()) /
                   ("driver-" + std::to_string(::getpid()) + "-" + std::to_string(call.number) + ".sock")),
          m_listening(valueOrRaise(listenForRanks(m_socket))),
          m_workers(static_cast<std::size_t>(std::max(1, options.scaling.numWorkers))) {
        TrainerOptions trainer{options.config, options.scaling, options.run, std::nullopt};
        if (trainer.run.checkpoint.numToKeep == 0) trainer.run.checkpoint.numToKeep = 2; // one is kept each epoch
        m_run = valueOrRaise(RunDriver::start(call, trainer, {{kDriverSocket, m_socket.string()}}));
        while (m_ranks.size() < m_workers) serve();
    }
    ~Driver() {
        std::error_code ignored;
        std::filesystem::remove(m_socket, ignored);
    }

    // Sends the command to all ranks, again when they are started again, until rank 0 has answered it.
    Json ask(Json command) {
        if (m_result) throw std::runtime_error("the trainer was shut down");
        command["n"] = ++m_number;
        const std::string line = jsonText(command);
        int sentTo = -1; // the generation that has it
        for (;;) {
            if (m_ranks.size() == m_workers && sentTo != m_generation) {
                sentTo = m_generation;
                for (auto& [rank, each] : m_ranks) each.send(line);
            }
            const auto answer = serve();
            if (!answer.is_object() || answer.value("n", 0) != m_number) continue;
            if (answer.contains("input")) throw InputError(answer["input"].get<std::string>());
            return answer;
        }
    }

    Result shutdown() {
        if (m_result) return *m_result;
        for (auto& [rank, each] : m_ranks) each.send(R"({"command":"shutdown"})");
        m_result = m_run->waitForEnd();
        return *m_result;
    }

    const TemporaryDirectory& folder() const { return m_folder; }

private:
    // Waits a moment for a rank to come, go or answer; an answer of rank 0, or null. Throws when the run is over.
    Json serve() {
        std::vector<pollfd> entries{{m_listening.get(), POLLIN, 0}};
        for (const auto& [rank, each] : m_ranks) entries.push_back({each.fd(), POLLIN, 0});
        for (const auto& each : m_arriving) entries.push_back({each.fd(), POLLIN, 0});
        ::poll(entries.data(), entries.size(), 100);
        accept();
        greet();
        Json answer;
        for (auto each = m_ranks.begin(); each != m_ranks.end();) {
            if (const auto line = each->second.receive(0); line && each->first == 0) answer = parseJson(*line);
            each = each->second.closed() ? m_ranks.erase(each) : std::next(each);
        }
        if (answer.is_null() && m_run->isOver(0)) {
            m_result = m_run->waitForEnd();
            throw RunFailed(m_result->error.value_or(RunError{"run", "the run is over", {}, {}}));
        }
        return answer;
    }

    void accept() {
        while (UniqueFd fd{::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC)})
            m_arriving.emplace_back(std::move(fd));
    }

    // A rank says who it is when it has made its model and found its data, which takes its time.
    void greet() {
        for (auto each = m_arriving.begin(); each != m_arriving.end();) {
            const auto line = each->receive(0);
            if (line) handle(std::move(*each), parseJson(*line));
            each = line || each->closed() ? m_arriving.erase(each) : std::next(each);
        }
    }

    void handle(DriverLine line, const Json& greeting) {
        if (!greeting.is_object() || !greeting.contains("rank") || !greeting.contains("generation")) return;
        const int generation = greeting["generation"].get<int>();
        if (generation != m_generation) m_ranks.clear();
        m_generation = generation;
        m_ranks.insert_or_assign(greeting["rank"].get<int>(), std::move(line));
    }

    const std::filesystem::path m_socket;
    UniqueFd m_listening;
    const std::size_t m_workers;
    TemporaryDirectory m_folder;
    std::vector<DriverLine> m_arriving; // have not said which rank they are
    std::map<int, DriverLine> m_ranks;  // of the newest generation
    int m_generation = -1, m_number = 0;
    std::optional<Result> m_result;
    std::unique_ptr<RunDriver> m_run;
};

namespace {

void check(const CreatorOptions& options) {
    if (!options.modelCreator || !options.dataCreator || !options.optimizerCreator || !options.lossCreator)
        throw InputError("a CreatorTrainer needs creators of model, data, optimizer and loss");
    if (!options.scaling.hosts.empty())
        throw InputError("a CreatorTrainer drives ranks of this computer; use TorchTrainer for hosts");
}

// There is nothing to answer with what an earlier trainer was asked for.
[[noreturn]] void refuseEarlier() {
    std::fprintf(stderr, "a program makes one CreatorTrainer, and calls fit() only before it\n");
    ::_exit(exitCode(ErrorKind::Input));
}

} // namespace

CreatorTrainer::CreatorTrainer(CreatorOptions options) {
    const auto call = nextCall();
    if (call.role == CallPosition::Role::Rank) serveCreators(options);
    if (call.role == CallPosition::Role::Earlier) refuseEarlier();
    check(options);
    m_driver = std::make_unique<Driver>(call, options);
}

CreatorTrainer::~CreatorTrainer() {
    try {
        if (m_driver) m_driver->shutdown();
    } catch (const std::exception& e) { std::fprintf(stderr, "the trainer was not shut down: %s\n", e.what()); }
}

Metrics CreatorTrainer::train() { return m_driver->ask({{"command", "train"}}).at("metrics").get<Metrics>(); }
Metrics CreatorTrainer::validate() { return m_driver->ask({{"command", "validate"}}).at("metrics").get<Metrics>(); }

StateDict CreatorTrainer::stateDict() {
    const auto file = (m_driver->folder() / "state.pt").string();
    m_driver->ask({{"command", "state"}, {"file", file}});
    StateDict state;
    torch::load(state, file);
    return state;
}

void CreatorTrainer::loadStateDict(const StateDict& state) {
    const auto file = (m_driver->folder() / "given.pt").string();
    torch::save(state, file);
    m_driver->ask({{"command", "load"}, {"file", file}});
}

void CreatorTrainer::save(const std::filesystem::path& file) { torch::save(stateDict(), file.string()); }

void CreatorTrainer::load(const std::filesystem::path& file) {
    StateDict state;
    try {
        torch::load(state, file.string());
    } catch (const c10::Error& e) {
        throw InputError(file.string() + ": cannot be loaded: " + e.what_without_backtrace());
    }
    loadStateDict(state);
}

Result CreatorTrainer::shutdown() { return m_driver->shutdown(); }

} // namespace trainyard::train
