// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank of a program tells its supervisor on the way.
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/torch/api/files_checkpoint.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/trainer/checkpoint_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard::train {

// Points of a curve go forward: a report without a step since the last one counts as one.
Result<bool> RankSession::report(const std::map<std::string, double>& metrics, const std::filesystem::path& folder) {
    enter(wire::Phase::Train);
    const std::int64_t step = std::max<std::int64_t>(progress().step, m_lastReported + 1);
    m_lastReported = step;
    progress().step = step;
    const auto epoch = metrics.find("epoch");
    progress().epoch =
        epoch != metrics.end() && std::isfinite(epoch->second) ? epoch->second : static_cast<double>(m_reports);
    ++m_reports;
    Result<void> kept;
    if (m_group->rank() == 0) {
        const wire::Point point{step, progress().epoch, trainSeconds(), 0};
        for (const auto& [name, value] : metrics) {
            auto each = point;
            each.value = m_last[name] = value;
            m_lastSteps[name] = step;
            m_channel.addPoint(name, each);
        }
        m_channel.sendPoints();
        if (!folder.empty()) keep(folder, step, kept);
    }
    TY_TRY(kept);
    return !stopRequested().has_value();
}

void RankSession::keep(const std::filesystem::path& folder, std::int64_t step, Result<void>& outcome) {
    progress().setDoing(Engine::tr("checkpoint"));
    const double epoch = progress().epoch;
    const auto path = std::filesystem::path(m_start.checkpointFolder) / CheckpointWriter::fileName(step);
    Json last = Json::object();
    for (const auto& [name, value] : m_last)
        if (std::isfinite(value)) last[name] = value;
    const store::Metadata metadata{{"step", std::to_string(step)},
                                   {"epoch", std::to_string(epoch)},
                                   {"metrics", jsonText(last)},
                                   {"points", jsonText(nlohmann::json(m_lastSteps))}};
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored); // when that fails, writing says why
    auto packed = packFiles(folder, path, metadata);
    progress().setStep(StepPart::Compute, Engine::tr("the program's function"));
    if (packed) {
        const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
        m_channel.send(wire::CheckpointSaved{path.string(), step, epoch, bytes, m_last});
    } else if (packed.error().kind == ErrorKind::Input) {
        outcome = std::move(packed);
    } else {
        m_channel.send(wire::CheckpointSkipped{step, packed.error()});
    }
}

void RankSession::endBackward(double waited) {
    enter(wire::Phase::Train);
    progress().setStep(StepPart::Compute, Engine::tr("the program's function"));
    progress().step = progress().step + 1;
    m_rates.countStep(waited, progress());
}

void LoopRates::begin() { m_from = monotonicSeconds(); }

void LoopRates::countBatch(std::int64_t samples, double seconds, Progress& progress) {
    m_samples += samples;
    m_dataSeconds += seconds;
    progress.dataSeconds = progress.dataSeconds + seconds;
}

void LoopRates::countStep(double waitedSeconds, Progress& progress) {
    m_waitSeconds += waitedSeconds;
    progress.commSeconds = progress.commSeconds + waitedSeconds;
    const double now = monotonicSeconds(), passed = now - m_from;
    if (passed < 0.5) return;
    progress.samplesPerSecond = static_cast<double>(m_samples) / passed;
    progress.dataShare = std::min(1.0, m_dataSeconds / passed);
    progress.commShare = std::min(1.0, m_waitSeconds / passed);
    progress.computeShare = std::max(0.0, 1.0 - progress.dataShare - progress.commShare);
    m_samples = 0;
    m_dataSeconds = m_waitSeconds = 0;
    m_from = now;
}

} // namespace trainyard::train
