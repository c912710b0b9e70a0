// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/rank_session.h"

#include "engine/base/clock.h"
#include "engine/torch/api/files_checkpoint.h"
#include "engine/torch/api/rank_descriptors.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/group/peer_loss.h"
#include "engine/torch/group/rendezvous.h"
#include "engine/torch/kernels/memory_pool.h"
#include "engine/torch/worker/rank_signals.h"
#include "trainyard/context.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <malloc.h>

namespace trainyard::train {
namespace {

RankSession* s_session = nullptr;

} // namespace

bool isRankProcess() { return rankDescriptors().readFd >= 0; }

RankSession* RankSession::current() { return s_session; }

void RankSession::serve(const Body& body) {
    // Activations come and go each step: kept by malloc they cost no page faults.
    kernels::useMemoryPool();
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    int code = 0;
    {
        RankSession session;
        s_session = &session;
        code = session.run(body);
        s_session = nullptr;
    }
    std::fflush(nullptr);
    ::_exit(code); // a group with a lost peer cannot be torn down in order, and the program has done its part
}

RankSession::RankSession()
    : m_channel({.readFd = rankDescriptors().readFd,
                 .writeFd = rankDescriptors().writeFd,
                 .onLost = leaveAlone,
                 .onRegroup = {}}) {
    installRankSignals(m_channel, m_channel.progress());
    m_channel.send(helloOfThisProcess());
}

int RankSession::run(const Body& body) {
    m_start = m_channel.waitForStart();
    setRankForSignals(m_start.rank);
    m_where = "rank " + std::to_string(m_start.rank);
    m_channel.startHeartbeats();
    enter(wire::Phase::Start);
    auto outcome = train(body);
    if (!outcome) return fail(std::move(outcome).error());
    m_channel.send(*outcome);
    m_channel.flush(std::chrono::seconds(10));
    return outcome->stopped ? exitCode(ErrorKind::Stopped) : 0;
}

// Whatever leaves the program's function ends here.
Result<wire::Finished> RankSession::train(const Body& body) {
    try {
        TY_TRY(begin());
        body(*this);
        return finished(false);
    } catch (const StopRequested&) { return finished(true); } catch (const InputError& e) {
        return inputError(e.what(), m_where);
    } catch (const std::exception& e) {
        if (m_start.worldSize == 1 || !isPeerLoss(e)) return errorFrom(e, m_where);
        if (stopRequested()) return finished(true); // the others heard of it a moment earlier
        return m_peers.lossError(e, m_channel.progress().doing(), m_where);
    } catch (...) { return runError("the training function threw something that is not a std::exception", m_where); }
}

Result<void> RankSession::begin() {
    TY_ASSIGN(m_spec, spec::parseRunSpec(m_start.runJson));
    if (m_start.worldSize < 1 || m_start.rank < 0 || m_start.rank >= m_start.worldSize)
        return inputError("rank " + std::to_string(m_start.rank) + " of " + std::to_string(m_start.worldSize) +
                              " ranks cannot be",
                          "start frame");
    TY_ASSIGN(m_device, chooseDevice(m_spec.scaling, m_start.localRank, m_start.localWorldSize));
    applyDevice(m_device, m_spec.deterministic);
    const std::string note = matrixSpeedNote(matrixSpeed(), m_device.threads);
    m_channel.send(wire::Ready{m_device.title, m_device.threads, note, false});
    enter(wire::Phase::Rendezvous);
    TY_TRY(meet());
    enter(wire::Phase::LoadData);
    progress().setDoing("the program's function");
    progress().totalEpochs = m_spec.epochs.value_or(1);
    if (!m_start.resumeFrom.empty()) {
        TY_ASSIGN(const auto file, store::SafetensorsFile::open(m_start.resumeFrom));
        const auto step = file.metadata().find("step");
        if (step != file.metadata().end()) setStep(std::strtoll(step->second.c_str(), nullptr, 10));
    }
    m_begun = m_rateFrom = monotonicSeconds();
    return {};
}

Result<void> RankSession::meet() {
    const auto& backend = m_spec.scaling.backend;
    const bool nccl = backend == "nccl" || (backend == "auto" && m_device.device.is_cuda());
    TY_ASSIGN(auto meeting, meetRanks(m_start, m_channel, {.nccl = nccl, .limit = kCollectiveLimit}));
    m_group = std::move(meeting.group);
    m_peers = std::move(meeting.peers);
    return {};
}

wire::Finished RankSession::finished(bool stopped) {
    wire::Finished message;
    message.step = progress().step;
    message.epoch = progress().epoch;
    message.trainSeconds = trainSeconds();
    message.stopped = stopped;
    if (stopped) return message; // the ranks need not be at the same step
    optim::NamedTensors compared;
    for (const auto& model : m_models)
        if (model->compareAtEnd())
            compared.insert(compared.end(), model->parameters().begin(), model->parameters().end());
    if (!compared.empty()) message.parameterDigest = digest(compared);
    return message;
}

int RankSession::fail(const Error& error) {
    std::fprintf(stderr, "failed: %s\n", error.text().c_str());
    m_channel.send(wire::Failed{toString(error.kind), error.message, error.where.empty() ? m_where : error.where,
                                error.remedy, progress().step, error.code});
    m_channel.flush(std::chrono::seconds(2));
    return exitCode(error.kind);
}

void RankSession::enter(wire::Phase phase, const std::string& detail) {
    if (phase <= m_phase && phase != wire::Phase::Start) return; // a second model, a second report
    m_phase = phase;
    m_channel.send(wire::PhaseChange{phase, monotonicSeconds() - rankDescriptors().startedAt, detail});
}

Result<void> RankSession::prepare(const std::shared_ptr<torch::nn::Module>& module, const std::string& averaging,
                                  bool compare) {
    module->to(m_device.device);
    auto tensors = modelTensors(*module);
    progress().setDoing("compare the models");
    TY_TRY(agreeOnModel(*m_group, tensors, "program version: " TRAINYARD_VERSION "\n"));
    const auto& kind = averaging.empty() ? m_spec.scaling.averaging : averaging;
    m_models.push_back(std::make_unique<ModelSync>(module, kind, *this, compare));
    if (m_spec.scaling.syncBatchNorm && m_start.worldSize > 1 && !m_syncBatchNorm)
        m_syncBatchNorm = std::make_unique<SyncBatchNorm>(*m_group);
    enter(wire::Phase::FirstStep, m_models.back()->description());
    progress().setDoing("the program's function");
    return {};
}

double RankSession::trainSeconds() const { return m_start.secondsBefore + monotonicSeconds() - m_begun; }

} // namespace trainyard::train
