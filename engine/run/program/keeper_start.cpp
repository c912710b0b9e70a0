// SPDX-License-Identifier: GPL-3.0-or-later
// What a keeper does until its rank runs.
#include "engine/base/clock.h"
#include "engine/base/text/quoted.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/program/facts/program_record.h"
#include "engine/run/program/keeper.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/host_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::run {
namespace {

constexpr double kStartSeconds = 60; // for the supervisor to say Start, and for rank 0 to say where it is

std::string variableIn(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

int numberIn(const char* name, int fallback) {
    const auto text = variableIn(name);
    return text.empty() ? fallback : std::atoi(text.c_str());
}

std::string textOf(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + shellArgument(word);
    return text;
}

std::string placeKey(int generation) { return wire::storePrefix(generation) + "/program"; }

Result<void> makeFolders(const RankFiles& files, int generation) {
    std::error_code failure;
    for (const auto& folder : {files.program(), files.output()}) {
        std::filesystem::create_directories(folder, failure);
        if (failure) return environmentError("cannot be created: " + failure.message(), folder.string());
    }
    std::filesystem::remove(files.error(), failure); // of an earlier generation
    // As trainyard.should_stop() leaves it; numbers of generations come again after a resume.
    if (files.rank == 0) std::filesystem::remove(files.program() / ("stop." + std::to_string(generation)), failure);
    return {};
}

// For the record of the run, which is made beside it. One that cannot be written is no reason to end the program.
void noteStarted(const KeptRank& rank) {
    if (rank.place.rank != 0) return;
    std::map<std::string, std::string> variables;
    for (const auto& each : environmentOf(rank.command))
        variables.emplace(each.substr(0, each.find('=')), each.substr(std::min(each.find('='), each.size() - 1) + 1));
    (void)writeStarted(rank.files.started(), StartedProgram{rank.shown, rank.command.folder.string(), rank.interpreter,
                                                            recordedVariables(variables)});
}

} // namespace

Result<wire::Start> Keeper::waitForStart() {
    const double until = monotonicSeconds() + kStartSeconds;
    while (monotonicSeconds() < until) {
        TY_ASSIGN(auto messages, m_bond.channel().receive());
        for (std::size_t i = 0; i < messages.size(); ++i) {
            if (std::holds_alternative<wire::Stop>(messages[i]))
                return stoppedError("asked to stop before it had begun");
            if (!std::holds_alternative<wire::Start>(messages[i])) continue;
            m_unread.assign(messages.begin() + static_cast<std::ptrdiff_t>(i) + 1, messages.end());
            return std::get<wire::Start>(std::move(messages[i]));
        }
        if (m_bond.channel().isOver()) break;
        wait(until);
    }
    return environmentError("the supervisor did not say what to start");
}

Result<void> Keeper::begin(const wire::Start& start) {
    enter(wire::Phase::Start);
    KeptRank rank;
    TY_ASSIGN(rank.spec, spec::parseRunSpec(start.runJson, "run file"));
    if (!rank.spec.program) return inputError("names no program", "run file", "give it a \"program\"");
    rank.files = {std::filesystem::path(start.checkpointFolder).parent_path(), start.rank};
    if (const auto project = start.paths.find(kCodeProject); project != start.paths.end() && !start.codeFolder.empty())
        rank.code = {project->second, start.codeFolder};
    TY_TRY(makeFolders(rank.files, start.generation));
    rank.secrets = start.secrets;
    rank.place = {.rank = start.rank,
                  .worldSize = start.worldSize,
                  .localRank = start.localRank,
                  .localWorldSize = start.localWorldSize,
                  .node = numberIn("GROUP_RANK", 0),
                  .nodes = numberIn("GROUP_WORLD_SIZE", 1),
                  .restarts = start.generation,
                  .run = variableIn("TRAINYARD_RUN"),
                  .trial = start.trial,
                  .checkpoint = start.resumeFrom};
    if (rank.place.nodes > 1) rank.place.interface = interfaceWith(start.interfaceAddress);
    enter(wire::Phase::Rendezvous);
    TY_TRY(meet(start, rank.place));
    TY_TRY(planRank(rank));
    RankStart howToStart(rank);
    if (start.rank == 0 && start.worldSize > 1) tellWhere(rank, howToStart);
    enter(wire::Phase::LoadData);
    if (start.rank == 0) print("$ " + textOf(rank.shown));
    // Both files are followed from where they end before the program can write to them.
    PrintedOutput printed(rank.files.printed());
    std::vector<std::filesystem::path> folders; // the curves are of rank 0
    if (start.rank == 0) folders = foldersWritten(rank);
    TY_ASSIGN(auto metrics,
              MetricFeed::open({rank.files.metrics(), folders, rank.spec.program->metrics.patterns, start.secondsBefore,
                                start.rank == 0 ? rank.files.sources() : std::filesystem::path(), start.resumeFrom,
                                rank.spec.program->metrics.ranks != "0", RunFolder{rank.files.folder}.runFile()}));
    auto checkpoints = start.rank == 0 ? std::make_unique<CheckpointFeed>(rank, start.generation) : nullptr;
    if (start.rank == 0 && !start.resumeFrom.empty() && rank.spec.program->resume.empty())
        print("nothing is known of how this program resumes: it finds its checkpoint in TRAINYARD_CHECKPOINT alone; "
              "give it program.resume");
    if (m_bond.channel().isHungUp()) return environmentError("the supervisor of this run is gone");
    TY_ASSIGN(auto process, howToStart.start(rank, [this](int fd, double until) { waitForServer(fd, until); }));
    m_running = std::make_unique<Running>(std::move(rank), std::move(howToStart), std::move(process),
                                          std::move(printed), std::move(metrics));
    m_bond.begin(m_running->rank.files.folder, noteOf(*m_running, start), outlivesSupervisor(*m_running),
                 !start.trial.empty());
    tellOfStart();
    m_running->checkpoints = std::move(checkpoints);
    noteStarted(m_running->rank);
    m_bond.channel().send(wire::Ready{deviceOf(m_running->rank), 0, {}, false});
    enter(wire::Phase::FirstStep);
    enter(wire::Phase::Train);
    return {};
}

// Where the program chooses one, which it is is not known.
std::string Keeper::deviceOf(const KeptRank& rank) {
    const auto& device = rank.spec.scaling.device;
    return device == "auto" ? std::string() : device;
}

RankNote Keeper::noteOf(const Running& running, const wire::Start& start) {
    RankNote note;
    note.generation = start.generation;
    note.rank = start.rank;
    note.worldSize = start.worldSize;
    note.localRank = start.localRank;
    note.localWorldSize = start.localWorldSize;
    note.keeper = ::getpid();
    note.program = running.process.pid();
    return note;
}

// Ranks on other hosts end with their link, and the others cannot go on without them.
bool Keeper::outlivesSupervisor(const Running& running) {
    return running.rank.place.nodes == 1 && std::ranges::all_of(running.rank.spec.hosts, spec::isThisComputer);
}

// All ranks are told the port that rank 0's keeper holds, through the supervisor.
Result<void> Keeper::meet(const wire::Start& start, RankPlace& place) {
    if (start.rank == 0) {
        TY_ASSIGN(m_port, ReservedPort::take());
        place.address = start.interfaceAddress.empty() ? "127.0.0.1" : start.interfaceAddress;
        place.port = m_port.port();
        return {};
    }
    m_bond.channel().send(wire::StoreGet{1, placeKey(start.generation)});
    TY_ASSIGN(const auto reply, waitForReply());
    const auto space = reply.value.find(' ');
    if (space == reply.value.npos) return runError("rank 0 did not say where it is");
    place.address = reply.value.substr(0, space);
    auto ports = reply.value.substr(space + 1);
    place.hasStore = ports.find(',') != ports.npos; // one of each rank, or one of all
    for (int i = 0; i < start.rank; ++i)
        if (const auto next = ports.find(',') + 1; next > 0 && next < ports.size()) ports = ports.substr(next);
    place.port = std::atoi(ports.c_str());
    return {};
}

// Rank 0 tells the others. Where ranks are forked with torch, and are all here, they meet at a store of this process,
// which is open before any of them asks. A script that listens at MASTER_PORT itself fails, as does one whose PyTorch
// was built without libuv, which clients of 2.6 ask for: from then on rank 0 opens it.
void Keeper::tellWhere(KeptRank& rank, const RankStart& start) {
    auto& place = rank.place;
    std::string ports = std::to_string(place.port);
    const auto& own = rank.spec.program->environment;
    const bool mayHaveStore = start.forksWith("torch") && start.mayHaveStore() && place.nodes == 1 &&
                              !own.contains("MASTER_PORT") && !own.contains("MASTER_ADDR") &&
                              !own.contains(kAgentStore);
    if (auto store = mayHaveStore ? StoreServer::open(place.worldSize) : Result<std::unique_ptr<StoreServer>>(nullptr);
        store && *store) {
        m_store = *std::move(store);
        place.hasStore = true;
        place.address = "127.0.0.1";
        place.port = m_store->port(0);
        ports = m_store->ports();
        rank.command.environment["MASTER_ADDR"] = place.address;
        rank.command.environment["MASTER_PORT"] = std::to_string(place.port);
        rank.command.environment[kAgentStore] = "True";
        print("the ranks meet at a store of this keeper");
    }
    m_bond.channel().send(wire::StoreSet{placeKey(place.restarts), place.address + " " + ports});
}

Result<wire::StoreReply> Keeper::waitForReply() {
    const double until = monotonicSeconds() + kStartSeconds;
    std::optional<wire::StoreReply> reply;
    while (!reply && !m_bond.channel().isOver() && monotonicSeconds() < until) {
        TY_ASSIGN(auto messages, m_bond.channel().receive());
        for (auto& message : messages) {
            if (auto* given = std::get_if<wire::StoreReply>(&message)) reply = std::move(*given);
            else m_unread.push_back(std::move(message));
        }
        if (!reply) wait(until);
    }
    if (reply) return std::move(*reply);
    return runError("rank 0 did not start within " + std::to_string(static_cast<int>(kStartSeconds)) + " s")
        .withCode(ErrorCode::PeerLost);
}

// Not for signals: they are for the rank, which is not there yet.
void Keeper::waitForServer(int fd, double until) {
    waitReadable(fd, std::clamp(until - monotonicSeconds(), 0.0, 0.25));
    m_bond.channel().flush();
    if (auto messages = m_bond.channel().receive())
        m_unread.insert(m_unread.end(), std::make_move_iterator(messages->begin()),
                        std::make_move_iterator(messages->end()));
}

} // namespace trainyard::run
