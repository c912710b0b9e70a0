// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/gradient_averager.h"

namespace trainyard::train {

// An averager that leaves the averaged gradients in the parameters, where the optimizer takes them from.
class PlainAverager : public GradientAverager {
public:
    StepReport finishStep(const StepOptions& options) final;
    std::int64_t settle() final { return m_step; }

protected:
    // Both must outlive this.
    PlainAverager(optim::Optimizer& optimizer, std::int64_t step, Progress& progress)
        : m_optimizer(optimizer), m_progress(progress), m_step(step) {}
    // Waits until every parameter's gradient is there and averaged.
    virtual void finish() = 0;

    optim::Optimizer& m_optimizer;
    Progress& m_progress;

private:
    StepReport update(const StepOptions& options);
    std::int64_t m_step;
};

} // namespace trainyard::train
