// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/supervisor.h"

#include <memory>
#include <utility>
#include <vector>

namespace trainyard::ctl {

// The launchers of this program, one of each kind: see launchers.cpp, where a new kind is a row.
class Launchers {
public:
    // Run or System errors of the kind that could not be made.
    // `keeping`: workers on this computer can stay for the next run.
    static Result<std::unique_ptr<Launchers>> make(const std::filesystem::path& workerProgram, bool keeping = false);
    // The launcher of the first kind that serves a host; they live as long as this.
    run::LauncherFor launcherFor();

private:
    using Serves = bool (*)(const std::string& host);
    std::vector<std::pair<Serves, std::unique_ptr<run::Launcher>>> m_launchers;
};

} // namespace trainyard::ctl
