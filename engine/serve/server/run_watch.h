// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/service_spec.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::serve {

// The best checkpoint of a run, as it changes while the run trains.
class RunWatch {
public:
    RunWatch(std::filesystem::path workspace, std::string run)
        : m_workspace(std::move(workspace)), m_run(std::move(run)) {}

    // A checkpoint that was not told before, and is the best one now; the first call tells the one there is. Looks at
    // the store every two seconds at most. `now` is monotonic seconds.
    std::optional<ServedModel> look(double now);

private:
    const std::filesystem::path m_workspace;
    const std::string m_run;
    double m_lookedAt = -1e9;
    std::string m_told;
};

} // namespace trainyard::serve
