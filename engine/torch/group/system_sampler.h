// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/gpu_load.h"
#include "engine/base/machine/host_load.h"
#include "engine/torch/base/step_ledger.h"
#include "engine/wire/messages.h"

#include <optional>

namespace trainyard::train {

// Measures what this rank, its computer and its GPU are busy with. For the thread that sends heartbeats.
class SystemSampler {
public:
    SystemSampler(); // the first sample begins here
    // `withHost`: this rank measures for its computer. `gpu`: number of the CUDA device that the rank uses; -1: none.
    wire::SystemSample take(const Progress& progress, bool withHost, int gpu);

private:
    double m_at = 0, m_cpuSeconds = 0;
    StepLedger m_ledger;
    std::optional<HostMeter> m_host; // made with the first sample, so that a brief run pays nothing
    std::optional<GpuMeter> m_gpu;
};

} // namespace trainyard::train
