// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/rank_session.h"

#include "engine/base/clock.h"
#include "engine/torch/api/files_checkpoint.h"
#include "engine/torch/api/rank_descriptors.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "trainyard/context.h"

#include <cstdlib>

namespace trainyard::train {
namespace {

RankSession* s_session = nullptr;

} // namespace

RankSession* RankSession::current() { return s_session; }

void RankSession::serve(const Body& body) {
    serveRank([&] {
        RankSession session;
        s_session = &session;
        const int code = session.m_life.run([&] { return session.train(body); });
        s_session = nullptr;
        return code;
    });
}

RankSession::RankSession() : m_life(rankDescriptors().readFd, rankDescriptors().writeFd, rankDescriptors().startedAt) {}

// Whatever leaves the program's function ends here.
Result<wire::Finished> RankSession::train(const Body& body) {
    try {
        TY_TRY(begin());
        body(*this);
        return finished(false);
    } catch (const StopRequested&) { return finished(true); } catch (const InputError& e) {
        return inputError(e.what(), m_life.where());
    } catch (const std::exception& e) {
        // The others may have heard of a stop a moment earlier.
        if (stopRequested() && m_life.meansLostPeer(e)) return finished(true);
        return m_life.errorOf(e);
    } catch (...) {
        return runError("the training function threw something that is not a std::exception", m_life.where());
    }
}

Result<void> RankSession::begin() {
    TY_ASSIGN(m_spec, spec::parseRunSpec(m_start.runJson));
    m_channel.setLinkSeconds(m_spec.failure.linkSeconds);
    TY_TRY(m_life.checkRank());
    TY_ASSIGN(m_device, chooseDevice(m_spec.scaling, {m_start.localRank, m_start.localWorldSize}));
    m_device.threads = threadsFor(m_spec.scaling, m_start.localWorldSize * m_start.sharing);
    applyDevice(m_device, m_spec.deterministic);
    if (m_device.device.is_cuda()) m_channel.measureGpu(m_device.device.index());
    const std::string note = matrixSpeedNote(matrixSpeed(), m_device.threads);
    m_channel.send(wire::Ready{m_device.title, m_device.threads, note, false});
    enter(wire::Phase::Rendezvous);
    TY_TRY(joinGroup());
    enter(wire::Phase::LoadData);
    progress().setStep(StepPart::Compute, Engine::tr("the program's function"));
    progress().totalEpochs = m_spec.epochs.value_or(1);
    if (!m_start.resumeFrom.empty()) {
        TY_ASSIGN(const auto file, store::SafetensorsFile::open(m_start.resumeFrom));
        const auto step = file.metadata().find("step");
        if (step != file.metadata().end()) setStep(std::strtoll(step->second.c_str(), nullptr, 10));
    }
    m_begun = monotonicSeconds();
    m_rates.begin();
    return {};
}

Result<void> RankSession::joinGroup() {
    const auto& backend = m_spec.scaling.backend;
    const bool nccl = backend == "nccl" || (backend == "auto" && m_device.device.is_cuda());
    TY_ASSIGN(m_group, m_life.joinGroup({.nccl = nccl, .limit = kCollectiveLimit}));
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

void RankSession::enter(wire::Phase phase, const std::string& detail) {
    if (phase <= m_phase && phase != wire::Phase::Start) return; // a second model, a second report
    m_phase = phase;
    m_life.enter(phase, detail);
}

Result<void> RankSession::prepare(const std::shared_ptr<torch::nn::Module>& module, const std::string& averaging,
                                  bool compare) {
    module->to(m_device.device);
    auto tensors = modelTensors(*module);
    progress().setDoing(Engine::tr("compare the models"));
    TY_TRY(agreeOnModel(*m_group, tensors, "program version: " TRAINYARD_VERSION "\n"));
    const auto& kind = averaging.empty() ? m_spec.scaling.averaging : averaging;
    m_models.push_back(std::make_unique<ModelSync>(module, kind, *this, compare));
    if (m_spec.scaling.syncBatchNorm && m_start.worldSize > 1 && !m_syncBatchNorm)
        m_syncBatchNorm = std::make_unique<SyncBatchNorm>(*m_group);
    enter(wire::Phase::FirstStep, m_models.back()->description());
    progress().setStep(StepPart::Compute, Engine::tr("the program's function"));
    return {};
}

double RankSession::trainSeconds() const { return m_start.secondsBefore + monotonicSeconds() - m_begun; }

} // namespace trainyard::train
