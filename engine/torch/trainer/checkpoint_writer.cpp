// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/trainer/trainer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trainyard::train {
namespace {

// One that is still being written when the next is due would hold up the training until it is.
constexpr double kShareOfInterval = 0.5;
constexpr double kBriefSeconds = 1; // of training, which costs as much as a few waits for the disk

} // namespace

CheckpointWriter::CheckpointWriter(std::filesystem::path folder, RunReport& report)
    : m_folder(std::move(folder)), m_report(report) {}

CheckpointWriter::~CheckpointWriter() { settle(); }

std::string CheckpointWriter::fileName(std::int64_t step) {
    char name[48];
    std::snprintf(name, sizeof name, "step-%08lld.safetensors", static_cast<long long>(step));
    return name;
}

void CheckpointWriter::write(TrainState state, double epoch, bool inBackground, Outlives outlives) {
    settle();
    if (inBackground && !m_gate) m_gate = std::make_unique<IdleGate>();
    if (m_gate) m_gate->hurry(!inBackground);
    const double before = std::exchange(m_begun, monotonicSeconds());
    if (m_gate && m_bytes > 0) m_gate->spread(m_bytes, kShareOfInterval * (m_begun - before));
    m_thread = std::thread([this, state = std::move(state), epoch, outlives] {
        useAllCores(); // the thread that trains may have been moved to one core
        writeNow(state, epoch, outlives);
    });
}

void CheckpointWriter::hurry() {
    if (m_gate) m_gate->hurry(true);
}

void CheckpointWriter::settle() {
    if (!m_thread.joinable()) return;
    hurry();
    m_thread.join();
}

Result<void> CheckpointWriter::wait() {
    settle();
    if (m_error) return *m_error;
    return {};
}

void CheckpointWriter::writeNow(const TrainState& state, double epoch, Outlives outlives) {
    const auto path = m_folder / fileName(state.step);
    std::error_code ignored;
    std::filesystem::create_directories(m_folder, ignored); // when that fails, saving says why
    const auto saved = guarded(path.string(), [&] { return saveCheckpoint(path, state, m_gate.get(), outlives); });
    if (saved.ok()) {
        m_error.reset();
        const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
        m_bytes = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0));
        m_report.notify(wire::CheckpointSaved{path.string(), state.step, epoch, bytes, state.metrics});
        return;
    }
    if (saved.error().kind == ErrorKind::Run) m_error = saved.error(); // weights that are not finite end the run
    m_report.notify(wire::CheckpointSkipped{state.step, saved.error()});
}

// Collective. Rank 0's thread writes the state, and the step path pays for no copy of what the averager pins. The state
// before must be written by now: the next steps go over its memory.
void Trainer::saveState(bool soon) {
    shareBuffers();
    auto carried = m_averager->shareCarried();
    m_progress.setDoing(Engine::tr("checkpoint"));
    m_savedStep = m_place.step;
    const bool writes = m_group.rank() == 0 && m_writer;
    const bool keeps = m_nonFinite.rollsBack();
    if (m_writer) m_writer->settle();
    m_averager->pin();
    if (!writes && !keeps) return;
    TrainState state = captureState([this](const std::string& name, const torch::Tensor& live) {
        auto pinned = m_averager->pinned(live);
        return pinned.defined() ? pinned : keptCopy(name, live);
    });
    state.carried = std::move(carried);
    if (m_report.orphaned())
        for (const auto& [series, points] : m_report.unstoredPoints())
            for (const auto& point : points)
                state.unstored[series].push_back(
                    {static_cast<double>(point.step), point.epoch, point.seconds, point.value});
    if (keeps) {
        m_rollbackState = state; // the same memory, unchanged until the next checkpoint
        m_nonFinite.afterCheckpoint();
    }
    const bool waitsSoon = soon || m_plan.isOver(m_place) || m_stopped || m_endEarly;
    const bool brief = m_input.isTrial && m_series.trainSeconds() < kBriefSeconds;
    if (writes)
        m_writer->write(std::move(state), epochNow(), !waitsSoon, brief ? Outlives::Process : Outlives::PowerLoss);
}

// Collective. Running statistics are each rank's own while it trains; after this all have rank 0's.
void Trainer::shareBuffers() {
    optim::NamedTensors buffers;
    for (const auto& buffer : m_model->named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(m_group, buffers, [this](int part) {
        m_progress.setCollective(Engine::tr("share the running statistics, part"), part);
    });
}

// In memory that the checkpoint before had: fresh memory costs more than the copy.
torch::Tensor Trainer::keptCopy(const std::string& name, const torch::Tensor& live) {
    torch::Tensor& kept = m_kept[name];
    const bool fits = kept.defined() && kept.sizes() == live.sizes() && kept.strides() == live.strides() &&
                      kept.scalar_type() == live.scalar_type();
    const auto options = live.options().device(torch::kCPU).requires_grad(false);
    if (!fits) kept = torch::empty_strided(live.sizes(), live.strides(), options);
    kept.copy_(live);
    return kept;
}

// In memory of its own.
TrainState Trainer::captureState() const {
    return captureState([](const std::string&, const torch::Tensor& live) {
        return live.to(torch::kCPU, live.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    });
}

TrainState Trainer::captureState(const Copy& copy) const {
    const torch::NoGradGuard noGrad;
    const auto copied = [&](const std::string& prefix, const optim::NamedTensors& tensors) {
        optim::NamedTensors all;
        for (const auto& [name, live] : tensors) all.emplace_back(name, copy(prefix + name, live));
        return all;
    };
    TrainState state;
    state.step = m_place.step;
    state.epoch = m_plan.atEpochEnd(m_place) ? m_place.epoch + 1 : m_place.epoch;
    state.batchInEpoch = m_plan.atEpochEnd(m_place) ? 0 : m_place.batchInEpoch;
    state.runJson = m_input.runJson;
    for (const auto& [series, value] : m_series.lastValues())
        if (m_validatedStep == m_place.step || !series.starts_with("val/")) state.metrics[series] = value;
    state.points = m_series.lastSteps();
    state.progress = m_policy.state();
    m_precision.save(state.progress);
    if (m_tuning) m_tuning->save(state.progress);
    state.progress["globalBatch"] = static_cast<double>(m_plan.stepSamples);
    state.progress["trainSeconds"] = m_series.trainSeconds();
    state.modelInfo = m_info;
    state.model = copied("model.", modelTensors(*m_model));
    if (m_average) state.average = copied("ema.", m_average->tensors());
    state.optimizer = m_optimizer->state(
        [&](const std::string& name, const torch::Tensor& live) { return copy("optimizer." + name, live); });
    return state;
}

} // namespace trainyard::train
