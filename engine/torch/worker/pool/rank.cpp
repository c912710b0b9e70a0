// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/rank.h"

#include "engine/base/clock.h"
#include "engine/base/unique_fd.h"
#include "engine/run/record/ranks_at_work.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/paths.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/trainer/task/evaluate.h"
#include "engine/torch/trainer/trainer.h"
#include "engine/torch/worker/pool/rank_life.h"
#include "engine/torch/worker/pool/rank_rest.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

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

constexpr auto kChoiceWait = std::chrono::seconds(10); // the supervisor may read a large file for it
constexpr auto kRegroupWait = std::chrono::minutes(5); // the supervisor ends a rank that it does not want earlier

class RankProcess : public RunReport, public GroupSource {
public:
    RankProcess(int frameFd, double asked) : m_life(0, frameFd, asked) {}

    int run() {
        return m_life.run([this] { return train(); });
    }
    // Whether nothing of the run is left once this object is gone, so that the process can take another one. A plug-in
    // may keep what it likes, and what a device holds is not seen from here.
    bool leavesNothing() const { return m_life.mayStay() && m_onCpu && !m_plugin; }

    void enter(wire::Phase phase, const std::string& detail) override {
        m_phase = phase;
        m_life.enter(phase, detail);
        if (phase == wire::Phase::Train) m_channel.saveWhenOrphaned();
    }
    void point(const std::string& series, const wire::Point& point) override { m_channel.addPoint(series, point); }
    void sendPoints() override { m_channel.sendPoints(); }
    std::uint64_t pointsStored() override { return m_channel.pointsStored(); }
    void notify(wire::Message message) override {
        const auto* rolledBack = std::get_if<wire::RolledBack>(&message);
        if (rolledBack) m_channel.voidPointsAfter(rolledBack->toStep);
        const bool voidsPoints = rolledBack != nullptr;
        m_channel.send(std::move(message));
        if (voidsPoints) m_channel.flush(std::chrono::seconds(2)); // before the first point of those steps comes again
    }
    bool orphaned() override { return m_channel.isOrphaned(); }
    std::string keepKernelChoice(const std::string& key, const std::string& choice) override {
        const auto ask = [&](std::int64_t id) { return wire::KernelChoice{id, key, choice}; };
        const auto kept = m_channel.ask(ask, kChoiceWait);
        return kept && kept->number != 0 ? kept->value : choice;
    }
    std::map<std::string, std::vector<wire::Point>> unstoredPoints() override { return m_channel.unstoredPoints(); }
    std::optional<wire::StopMode> stopRequested() override { return m_channel.stopRequested(); }
    bool commandWaits() override { return m_channel.commandWaits(); }
    std::vector<wire::Command> takeCommands() override { return m_channel.takeCommands(); }

    bool mayRejoin(const std::exception& thrown) override {
        if (!m_start.mayRejoin || m_channel.stopRequested() == wire::StopMode::StopNow) return false;
        if (m_channel.newestGeneration() > m_start.generation) return true; // the supervisor has said so already
        if (m_channel.isAlone()) return true;
        if (!m_life.meansLostPeer(thrown)) return false;
        reportPeerLost(thrown.what());
        return true;
    }

    Result<ProcessGroup> nextGroup() override {
        for (;;) {
            const auto announced = m_channel.waitForRegroup(m_start.generation, kRegroupWait);
            if (m_channel.isOrphaned()) return groupOfItsOwn();
            TY_ASSIGN(const auto word, announced);
            const int before = m_start.localWorldSize;
            m_life.moveToGroup(word);
            if (before != word.localWorldSize)
                applyThreads(threadsFor(m_scaling, word.localWorldSize * m_start.sharing));
            m_channel.abortFlag().lower();
            if (m_channel.newestGeneration() > m_start.generation) continue;
            auto group = joinGroup();
            if (group && m_channel.newestGeneration() <= m_start.generation) return group;
            if (group) continue; // took too long: the supervisor has called a new rendezvous
            // Another rank was lost during the rendezvous, or cannot be reached: the supervisor finds out which.
            if (m_channel.newestGeneration() <= m_start.generation) reportPeerLost(group.error().message);
        }
    }

private:
    // Without a supervisor no others can be met. Its state is saved as that of the group, and the rank ends.
    ProcessGroup groupOfItsOwn() {
        m_life.moveToGroup({.generation = m_start.generation});
        m_channel.requestStop(wire::StopMode::SaveAndStop);
        m_channel.abortFlag().lower();
        return ProcessGroup::single();
    }

    void reportPeerLost(const std::string& text) {
        m_channel.send(wire::PeerLost{m_start.generation, m_channel.progress().step,
                                      text.substr(0, 300) + " (in \"" + m_channel.progress().doing() + "\")"});
    }

    Result<wire::Finished> train() {
        try {
            return prepareAndTrain();
        } catch (const std::exception& e) {
            Error error = m_life.errorOf(e);
            if (error.code == ErrorCode::OutOfMemory) error.remedy = remedyForMemory();
            if (inOneLine(e.what()) != e.what()) std::fprintf(stderr, "%s\n", e.what()); // at length, for the log
            return error;
        }
    }

    // What takes the memory follows from where the run is.
    std::string remedyForMemory() const {
        const std::string others = "a smaller model, fewer workers on this computer, or more memory";
        const auto spec = spec::parseRunSpec(m_start.runJson);
        if (!spec || m_phase < wire::Phase::FirstStep) return "use a smaller dataset, " + others;
        if (m_phase == wire::Phase::Validate && spec->perRankBatch() <= kEvaluationBatch)
            return "use smaller samples, " + others + ": a validation takes " + std::to_string(kEvaluationBatch) +
                   " samples at once, whatever the batch";
        const auto half = spec::withHalfTheBatch(*spec);
        if (!half) return "use smaller samples, " + others;
        const bool each = half->batch.perRank.has_value();
        return "set " + std::string(each ? "batch.perRank" : "batch.global") + " to " +
               std::to_string(each ? *half->batch.perRank : *half->batch.global) + " (it was " +
               std::to_string(each ? *spec->batch.perRank : *spec->batch.global) + "), or use " + others;
    }

    Result<wire::Finished> prepareAndTrain() {
        TrainerInput input;
        TY_ASSIGN(input.spec, spec::parseRunSpec(m_start.runJson));
        m_channel.setLinkSeconds(input.spec.failure.linkSeconds);
        m_atWork = run::RanksAtWork::join(m_start.checkpointFolder);
        spec::relocate(input.spec, m_start.paths);
        TY_TRY(m_life.checkRank());
        // Where the number may change, all plan with the one of the run file, whatever it is now.
        if (!m_start.joining && input.spec.scaling.elastic.max == 0) input.spec.scaling.workers = m_start.worldSize;
        input.runJson = m_start.runJson;
        input.checkpointFolder = m_start.checkpointFolder;
        input.resumeFrom = m_start.resumeFrom;
        input.secondsBefore = m_start.secondsBefore;
        TY_ASSIGN(input.device, chooseDevice(input.spec.scaling, {m_start.localRank, m_start.localWorldSize}));
        input.device.threads = threadsFor(input.spec.scaling, m_start.localWorldSize * m_start.sharing);
        applyDevice(input.device, input.spec.deterministic);
        const std::string note = blasName().empty() ? matrixSpeedNote(matrixSpeed(), input.device.threads) : "";
        m_scaling = input.spec.scaling;
        m_plugin = input.spec.model.name == "plugin";
        const auto& scaling = m_scaling;
        m_onCpu = input.device.device.is_cpu();
        if (input.device.device.is_cuda()) m_channel.measureGpu(input.device.device.index());
        m_nccl = scaling.backend == "nccl" || (scaling.backend == "auto" && input.device.device.is_cuda());
        m_start.mayRejoin = m_start.mayRejoin && !m_nccl; // which cannot be left while its kernel waits on the device
        m_channel.send(wire::Ready{input.device.title, input.device.threads, note, m_start.mayRejoin});

        enter(wire::Phase::Rendezvous, "");
        if (m_start.mayRejoin) input.groups = this;
        input.abort = &m_channel.abortFlag();
        input.isFork = m_start.isFork;
        input.joining = m_start.joining;
        input.isTrial = m_start.mayStay;
        TY_ASSIGN(const auto trainer, makeTrainer(std::move(input)));
        return trainer->run();
    }

    // The group is the trainer's alone, so that it can let go of one that has lost a member.
    Result<std::unique_ptr<Trainer>> makeTrainer(TrainerInput input) {
        TY_ASSIGN(ProcessGroup group, joinGroup());
        enter(wire::Phase::LoadData, "");
        return Trainer::make(std::move(input), std::move(group), *this, m_channel.progress());
    }

    Result<ProcessGroup> joinGroup() {
        // Ranks that are told to be on hosts of their own (HostsOfRanks) are not put together here either.
        const bool oneHost = m_onCpu && m_start.localWorldSize == m_start.worldSize && !std::getenv("TRAINYARD_HOST");
        return m_life.joinGroup({.nccl = m_nccl, .oneHost = oneHost});
    }

    run::RanksAtWork m_atWork; // ends after the writing of checkpoints
    RankLife m_life;
    RankChannel& m_channel = m_life.channel();
    wire::Start& m_start = m_life.start();
    spec::Scaling m_scaling;
    bool m_nccl = false, m_onCpu = false, m_plugin = false;
    wire::Phase m_phase = wire::Phase::Start;
};

struct RunEnd {
    int code = 0; // for the process, if it was the last
    bool leavesNothing = false;
};

// Everything of a run in this process lives and ends here.
RunEnd trainOneRun(int frameFd, double begun) {
    RankProcess rank(frameFd, begun);
    const int code = rank.run();
    return {code, rank.leavesNothing()};
}

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
    endTellingOfMemory();
    serveRank([&] {
        RankRest rest(frames.get());
        double begun = asked ? *asked : monotonicSeconds() - secondsSinceExec();
        for (;;) {
            const auto end = trainOneRun(frames.get(), begun);
            if (!end.leavesNothing || !rest.untilNextRun()) return end.code;
            begun = monotonicSeconds();
        }
    });
}

} // namespace trainyard::train
