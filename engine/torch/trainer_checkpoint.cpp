// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer.h"

#include "engine/torch/averaging/replicas.h"
#include "engine/torch/guard.h"

#include <cstdio>

namespace trainyard::train {

CheckpointWriter::CheckpointWriter(std::filesystem::path folder, RunReport& report)
    : m_folder(std::move(folder)), m_report(report) {}

CheckpointWriter::~CheckpointWriter() {
    if (m_thread.joinable()) m_thread.join();
}

std::string CheckpointWriter::fileName(std::int64_t step) {
    char name[48];
    std::snprintf(name, sizeof name, "step-%08lld.safetensors", static_cast<long long>(step));
    return name;
}

void CheckpointWriter::write(TrainState state, double epoch) {
    if (m_thread.joinable()) m_thread.join();
    m_thread = std::thread([this, state = std::move(state), epoch] { writeNow(state, epoch); });
}

Result<void> CheckpointWriter::wait() {
    if (m_thread.joinable()) m_thread.join();
    if (m_error) return *m_error;
    return {};
}

void CheckpointWriter::writeNow(const TrainState& state, double epoch) {
    const auto path = m_folder / fileName(state.step);
    std::error_code ignored;
    std::filesystem::create_directories(m_folder, ignored); // when that fails, saving says why
    const auto saved = guarded(path.string(), [&] { return saveCheckpoint(path, state); });
    if (saved.ok()) {
        m_error.reset();
        const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
        m_report.notify(wire::CheckpointSaved{path.string(), state.step, epoch, bytes, state.metrics});
        return;
    }
    if (saved.error().kind == ErrorKind::Run) m_error = saved.error(); // weights that are not finite end the run
    m_report.notify(wire::CheckpointSkipped{state.step, "the checkpoint of step " + std::to_string(state.step) +
                                            " was not saved: " + saved.error().message, saved.error().remedy});
}

// Collective. The copy is all that the step path pays for; rank 0's thread writes it.
void Trainer::saveState() {
    m_progress.setDoing("checkpoint");
    optim::NamedTensors buffers;
    for (const auto& buffer : m_model->named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(m_group, buffers);
    m_savedStep = m_step;
    const bool writes = m_group.rank() == 0 && m_writer;
    const bool keeps = m_spec.failure.nonFinite == "rollback";
    if (!writes && !keeps) return;
    TrainState state = captureState();
    if (keeps) {
        m_rollbackState = state; // shares the copies, which nobody changes
        m_rollbacksHere = 0;
    }
    if (writes) m_writer->write(std::move(state), epochNow());
}

// A copy that shares no memory with the run.
TrainState Trainer::captureState() const {
    const auto copied = [](const torch::Tensor& tensor) {
        return tensor.detach().to(torch::kCPU, tensor.scalar_type(), false, /*copy=*/true);
    };
    TrainState state;
    state.step = m_step;
    state.epoch = atEpochEnd() ? m_epoch + 1 : m_epoch;
    state.batchInEpoch = atEpochEnd() ? 0 : m_batchInEpoch;
    state.runJson = m_input.runJson;
    for (const auto& [series, value] : m_last)
        if (m_validatedStep == m_step || !series.starts_with("val/")) state.metrics[series] = value;
    state.points = m_lastSteps;
    state.progress = m_course.state();
    m_precision.save(state.progress);
    if (m_tuning) m_tuning->save(state.progress);
    state.progress["globalBatch"] = static_cast<double>(m_perRank * m_accumulate * m_group.worldSize());
    state.progress["trainSeconds"] = trainSeconds();
    state.modelInfo = {m_data.sampleShape, m_data.classes, m_data.classNames, m_data.mean, m_data.stddev,
                       m_data.task, m_data.targetMean, m_data.targetStddev};
    for (const auto& [name, tensor] : modelTensors(*m_model)) state.model.emplace_back(name, copied(tensor));
    if (m_average)
        for (const auto& [name, tensor] : m_average->tensors()) state.average.emplace_back(name, copied(tensor));
    state.optimizer = m_optimizer->state();
    return state;
}

} // namespace trainyard::train
