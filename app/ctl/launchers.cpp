// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/launchers.h"

#include "app/ctl/hosts.h"
#include "engine/run/launch/kept_workers.h"
#include "engine/run/launch/programs.h"

#include <algorithm>

namespace trainyard::ctl {
namespace {

struct LauncherKind {
    bool (*serves)(const std::string& host); // a host as the run file names it; empty: this computer
    Result<std::unique_ptr<run::Launcher>> (*make)(std::filesystem::path workerProgram);
    bool keeps; // its workers can stay
};

Result<std::unique_ptr<run::Launcher>> makeLocal(std::filesystem::path workerProgram) {
    const bool own = workerProgram == run::workerProgram(); // a program on the library has no pool
    return run::makeLocalLauncher(std::move(workerProgram), own ? run::StartBy::Pool : run::StartBy::Program);
}

// The first that serves a host launches there.
const LauncherKind kKinds[] = {
    {[](const std::string& host) { return host.empty(); }, makeLocal, true},
    {[](const std::string&) { return true; }, makeHostLauncher, false},
};

} // namespace

Result<std::unique_ptr<Launchers>> Launchers::make(const std::filesystem::path& workerProgram, bool keeping) {
    auto launchers = std::make_unique<Launchers>();
    for (const LauncherKind& kind : kKinds) {
        TY_ASSIGN(auto launcher, kind.make(workerProgram));
        if (keeping && kind.keeps) launcher = run::makeKeptWorkers(std::move(launcher));
        launchers->m_launchers.emplace_back(kind.serves, std::move(launcher));
    }
    return launchers;
}

run::LauncherFor Launchers::launcherFor() {
    return [this](const std::string& host) -> run::Launcher& {
        const auto serves = [&host](const auto& each) { return each.first(host); };
        return *std::find_if(m_launchers.begin(), m_launchers.end(), serves)->second; // the last serves every host
    };
}

} // namespace trainyard::ctl
