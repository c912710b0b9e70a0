// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/checkpoint_writer.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/torch/base/guard.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trainyard::train {
namespace {

// One that is still being written when the next is due would hold up the training until it is.
constexpr double kShareOfInterval = 0.5;

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
    if (m_gate) m_gate->rest();
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

void Checkpoints::writeTo(const std::filesystem::path& folder, RunReport& report) {
    if (!m_writer && !folder.empty()) m_writer = std::make_unique<CheckpointWriter>(folder, report);
}

torch::Tensor Checkpoints::copy(const std::string& name, const torch::Tensor& live) {
    torch::Tensor& kept = m_copies[name];
    const bool fits = kept.defined() && kept.sizes() == live.sizes() && kept.strides() == live.strides() &&
                      kept.scalar_type() == live.scalar_type();
    const auto options = live.options().device(torch::kCPU).requires_grad(false);
    if (!fits) kept = torch::empty_strided(live.sizes(), live.strides(), options);
    kept.copy_(live);
    return kept;
}

} // namespace trainyard::train
