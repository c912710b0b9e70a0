// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/rank.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/spec/paths.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/group/peer_loss.h"
#include "engine/torch/group/rank_channel.h"
#include "engine/torch/group/rendezvous.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/torch/trainer/trainer.h"
#include "engine/torch/worker/rank_signals.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <utility>

namespace trainyard::train {
namespace {

// Seconds since the process was started, its loading included.
double secondsSinceExec() {
    std::ifstream stat("/proc/self/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string word;
    for (int field = 3; field < 22 && fields >> word; ++field) {}
    double ticks = 0, uptime = 0;
    fields >> ticks;
    std::ifstream("/proc/uptime") >> uptime;
    return uptime - ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

constexpr auto kRegroupWait = std::chrono::minutes(5); // the supervisor ends a rank that it does not want earlier

// Ends what waits in a collective for a peer that is gone or beyond reach. The only TCP connections of a rank are those
// to its peers; those of the next group are made after this.
void closePeerConnections() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
        const int fd = std::atoi(entry.path().filename().c_str());
        sockaddr_storage peer{};
        socklen_t size = sizeof peer;
        if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
        if (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) ::shutdown(fd, SHUT_RDWR);
    }
}

class RankProcess : public RunReport, public GroupSource {
public:
    RankProcess(int frameFd, double asked)
        : m_processStart(asked),
          m_channel({.readFd = 0, .writeFd = frameFd, .onLost = leaveAlone, .onRegroup = closePeerConnections}) {
        installRankSignals(m_channel, m_channel.progress());
        m_channel.send(helloOfThisProcess());
    }

    int run() {
        m_start = m_channel.waitForStart();
        setRankForSignals(m_start.rank);
        m_where = "rank " + std::to_string(m_start.rank);
        m_channel.startHeartbeats();
        enter(wire::Phase::Start, "");
        auto outcome = train();
        if (!outcome) return fail(std::move(outcome).error());
        m_channel.send(*outcome);
        m_channel.flush(std::chrono::seconds(10));
        return outcome->stopped ? exitCode(ErrorKind::Stopped) : 0;
    }

    void enter(wire::Phase phase, const std::string& detail) override {
        m_channel.send(wire::PhaseChange{phase, monotonicSeconds() - m_processStart, detail});
    }
    void point(const std::string& series, const wire::Point& point) override { m_channel.addPoint(series, point); }
    std::uint64_t pointsOut() override { return m_channel.pointsOut(); }
    void notify(wire::Message message) override {
        const bool voidsPoints = std::holds_alternative<wire::RolledBack>(message);
        m_channel.send(std::move(message));
        if (voidsPoints) m_channel.flush(std::chrono::seconds(2)); // before the first point of those steps comes again
    }
    std::optional<wire::StopMode> stopRequested() override { return m_channel.stopRequested(); }
    bool commandWaits() override { return m_channel.commandWaits(); }
    std::vector<wire::Command> takeCommands() override { return m_channel.takeCommands(); }

    bool mayRejoin(const std::exception& thrown) override {
        if (!m_start.mayRejoin || m_channel.stopRequested() == wire::StopMode::StopNow) return false;
        if (m_channel.newestGeneration() > m_start.generation) return true; // the supervisor has said so already
        if (!isPeerLoss(thrown)) return false;
        reportPeerLost(thrown.what());
        return true;
    }

    Result<ProcessGroup> nextGroup() override {
        for (;;) {
            TY_ASSIGN(const auto word, m_channel.waitForRegroup(m_start.generation, kRegroupWait));
            m_start.generation = word.generation;
            m_start.rank = word.rank;
            m_start.worldSize = word.worldSize;
            m_start.localRank = word.localRank;
            if (std::exchange(m_start.localWorldSize, word.localWorldSize) != word.localWorldSize)
                applyThreads(threadsFor(m_scaling, word.localWorldSize));
            setRankForSignals(m_start.rank);
            m_where = "rank " + std::to_string(m_start.rank);
            m_channel.abortFlag().lower();
            if (m_channel.newestGeneration() > m_start.generation) continue;
            auto group = meet();
            if (group && m_channel.newestGeneration() <= m_start.generation) return group;
            if (group) continue; // it took so long that the others are told to meet once more
            // One of those who were to come was lost in turn, or cannot be reached: the supervisor finds out which.
            if (m_channel.newestGeneration() <= m_start.generation) reportPeerLost(group.error().message);
        }
    }

private:
    void reportPeerLost(const std::string& text) {
        m_channel.send(wire::PeerLost{m_start.generation, m_channel.progress().step,
                                      text.substr(0, 300) + " (in \"" + m_channel.progress().doing() + "\")"});
    }

    Result<wire::Finished> train() {
        try {
            return prepareAndTrain();
        } catch (const std::exception& e) {
            if (m_start.worldSize > 1 && isPeerLoss(e))
                return m_peers.lossError(e, m_channel.progress().doing(), m_where);
            return errorFrom(e, m_where);
        }
    }

    Result<wire::Finished> prepareAndTrain() {
        TrainerInput input;
        TY_ASSIGN(input.spec, spec::parseRunSpec(m_start.runJson));
        spec::relocate(input.spec, m_start.paths);
        if (m_start.worldSize < 1 || m_start.rank < 0 || m_start.rank >= m_start.worldSize)
            return inputError("rank " + std::to_string(m_start.rank) + " of " + std::to_string(m_start.worldSize) +
                                  " ranks cannot be",
                              "start frame");
        // Where the number may change, all plan with the one of the run file, whatever it is now.
        if (!m_start.joining && input.spec.scaling.elastic.max == 0) input.spec.scaling.workers = m_start.worldSize;
        input.runJson = m_start.runJson;
        input.checkpointFolder = m_start.checkpointFolder;
        input.resumeFrom = m_start.resumeFrom;
        input.secondsBefore = m_start.secondsBefore;
        TY_ASSIGN(input.device, chooseDevice(input.spec.scaling, m_start.localRank, m_start.localWorldSize));
        applyDevice(input.device, input.spec.deterministic);
        const std::string note = blasName().empty() ? matrixSpeedNote(matrixSpeed(), input.device.threads) : "";
        m_scaling = input.spec.scaling;
        const auto& scaling = m_scaling;
        m_onCpu = input.device.device.is_cpu();
        m_nccl = scaling.backend == "nccl" || (scaling.backend == "auto" && input.device.device.is_cuda());
        // A TCPStore dies with rank 0, and NCCL cannot be left while a kernel of it waits on the device.
        m_start.mayRejoin = m_start.mayRejoin && !m_nccl && m_start.masterPort == 0;
        m_channel.send(wire::Ready{input.device.title, input.device.threads, note, m_start.mayRejoin});

        enter(wire::Phase::Rendezvous, "");
        if (m_start.mayRejoin) input.groups = this;
        input.abort = &m_channel.abortFlag();
        input.joining = m_start.joining;
        TY_ASSIGN(const auto trainer, makeTrainer(std::move(input)));
        return trainer->run();
    }

    // The group is the trainer's alone, so that it can let go of one that has lost a member.
    Result<std::unique_ptr<Trainer>> makeTrainer(TrainerInput input) {
        TY_ASSIGN(ProcessGroup group, meet());
        enter(wire::Phase::LoadData, "");
        return Trainer::make(std::move(input), std::move(group), *this, m_channel.progress());
    }

    Result<ProcessGroup> meet() {
        // Ranks that are told to be on hosts of their own (HostsOfRanks) are not put together here either.
        const bool oneHost = m_onCpu && m_start.localWorldSize == m_start.worldSize && m_start.masterPort == 0 &&
                             !std::getenv("TRAINYARD_HOST");
        TY_ASSIGN(auto meeting, meetRanks(m_start, m_channel, {.nccl = m_nccl, .oneHost = oneHost}));
        m_peers = std::move(meeting.peers);
        return std::move(meeting.group);
    }

    int fail(const Error& error) {
        std::fprintf(stderr, "failed: %s\n", error.text().c_str());
        m_channel.send(wire::Failed{toString(error.kind), error.message, error.where.empty() ? m_where : error.where,
                                    error.remedy, m_channel.progress().step, error.code});
        m_channel.flush(std::chrono::seconds(2));
        return exitCode(error.kind);
    }

    const double m_processStart; // monotonic seconds
    RankChannel m_channel;
    wire::Start m_start;
    std::string m_where;
    Peers m_peers;
    spec::Scaling m_scaling;
    bool m_nccl = false, m_onCpu = false;
};

} // namespace

int rankCommand(const std::vector<std::string>& arguments, std::optional<double> asked) {
    if (!arguments.empty()) {
        std::fprintf(stderr, "rank takes no arguments, and \"%s\" was given\n", arguments.front().c_str());
        return exitCode(ErrorKind::Input);
    }
    const UniqueFd frames(::dup(1));
    if (!frames || ::dup2(2, 1) < 0) {
        std::fprintf(stderr, "%s\n", systemError("cannot set the output aside").text().c_str());
        return exitCode(ErrorKind::Environment);
    }
    // Activations come and go each step: kept by the pool, and what oneDNN needs by malloc, they cost no page faults.
    kernels::useMemoryPool();
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    int code = 0;
    {
        RankProcess process(frames.get(), asked ? *asked : monotonicSeconds() - secondsSinceExec());
        code = process.run();
    }
    std::fflush(nullptr);
    ::_exit(code); // a group with a lost peer cannot be torn down in order, and there is nothing left to keep
}

} // namespace trainyard::train
