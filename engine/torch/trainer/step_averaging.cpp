// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/step_averaging.h"

#include "engine/torch/trainer/checkpoint_writer.h"

#include <utility>

namespace trainyard::train {

Result<std::string> StepAveraging::begin(const spec::RunSpec& spec, const ProcessGroup& group,
                                         optim::Optimizer& optimizer, std::int64_t step, const AbortFlag* abort,
                                         Progress& progress) {
    AveragerOptions options{
        .kind = spec.scaling.averaging, .step = step, .abort = abort, .pins = savesOnTheWay(spec.checkpoint)};
    options.compression = {.kind = spec.scaling.compression,
                           .rank = spec.scaling.compressionRank,
                           .step = step,
                           .carried = std::exchange(m_carried, {})};
    TY_ASSIGN(auto made, makeAverager(group, optimizer, options, progress));
    m_averager = std::move(made.averager);
    m_step = step;
    m_syncBatchNorm.reset(); // that of another group
    if (spec.scaling.syncBatchNorm && group.worldSize() > 1) m_syncBatchNorm = std::make_unique<SyncBatchNorm>(group);
    return std::move(made.description);
}

StepReport StepAveraging::finishStep(const StepOptions& options) {
    StepReport report = m_averager->finishStep(options);
    ++m_step;
    return report;
}

bool StepAveraging::endedStep() { return m_averager && m_averager->settle() > m_step; }

} // namespace trainyard::train
