// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/launchers.h"

#include "engine/run/launch/pool/kept_workers.h"
#include "engine/run/launch/programs.h"
#include "engine/run/slurm/allocation.h"
#include "engine/run/slurm/slurm_launcher.h"
#include "engine/run/supervise/hosts/host_pool.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace trainyard::ctl {
namespace {

const std::vector<LauncherKind>& launcherKinds() {
#define TRAINYARD_MAKE(kind) kind(),
    static const std::vector<LauncherKind> kinds = {TRAINYARD_LAUNCHERS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return kinds;
}

// The last kind serves every host.
std::size_t kindOf(const std::string& host) {
    const auto& kinds = launcherKinds();
    const auto serves = [&host](const LauncherKind& kind) { return kind.serves(host); };
    return static_cast<std::size_t>(std::find_if(kinds.begin(), kinds.end(), serves) - kinds.begin());
}

// In the place of a launcher that could not be made: a run that has no host of that kind does not need it.
class RefusingLauncher final : public run::Launcher {
public:
    explicit RefusingLauncher(Error why) : m_why(std::move(why)) {}
    Result<std::unique_ptr<run::WorkerProcess>> launch(const run::LaunchRequest&) override { return m_why; }
    Result<std::string> stage(const HostName&, const std::filesystem::path&) override { return m_why; }
    Result<std::string> ask(const HostName&, const std::vector<std::string>&) override { return m_why; }
    Result<void> fetchTree(const HostName&, const std::string&, const std::filesystem::path&) override { return m_why; }
    Result<void> fetch(const HostName&, const std::string&, const std::filesystem::path&) override { return m_why; }
    Result<void> remove(const HostName&, const std::vector<std::string>&) override { return m_why; }
    Result<HostInfo> prepare(const HostName&, const RunId&) override { return m_why; }
    Result<std::vector<std::string>> list(const HostName&, const std::string&) override { return m_why; }
    Result<int> signalAll(const HostName&, const RunId&, int) override { return m_why; }

private:
    const Error m_why;
};

Result<std::unique_ptr<run::Launcher>> makeLocal(std::filesystem::path workerProgram) {
    const bool own = workerProgram == run::workerProgram(); // a program on the library has no pool
    return run::makeLocalLauncher(std::move(workerProgram), own ? run::StartBy::Pool : run::StartBy::Program);
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// A list that is not understood is for those to hear of who name its nodes.
Result<std::unique_ptr<run::Launcher>> makeSlurm(std::filesystem::path workerProgram) {
    run::SlurmLauncherOptions options{variable("SLURM_JOB_ID"), {}, std::move(workerProgram)};
    if (auto nodes = run::expandNodeList(variable("SLURM_JOB_NODELIST"))) options.nodes = std::move(*nodes);
    return run::makeSlurmLauncher(std::move(options));
}

} // namespace

Result<void> expandHostsOf(spec::RunSpec& spec) {
    for (const auto& kind : launcherKinds())
        if (kind.expand) { TY_ASSIGN(spec.hosts, kind.expand(spec.hosts)); }
    return {};
}

Result<void> signInToHostsOf(const spec::RunSpec& spec) {
    std::map<std::size_t, std::vector<std::string>> hosts; // by kind
    for (const auto& host : run::hostsToReach(spec))
        hosts[kindOf(spec::isThisComputer(host) ? std::string() : host)].push_back(host);
    for (const auto& [kind, names] : hosts) {
        const auto signIn = launcherKinds()[kind].signIn;
        const auto signedIn = signIn ? signIn(names) : Result<void>();
        // A spare replaces one that cannot be reached, and the run says so.
        if (!signedIn && !run::startsWithout(spec, signedIn.error())) return signedIn;
    }
    return {};
}

Result<void> endOnHost(const std::string& host, std::int64_t pid) {
    const auto end = launcherKinds()[kindOf(host)].end;
    if (!end) return inputError("cannot be ended from here", host, "choose a rank on another host");
    return end(host, pid);
}

std::unique_ptr<Launchers> Launchers::make(const std::filesystem::path& workerProgram, bool keeping) {
    auto launchers = std::make_unique<Launchers>();
    for (const LauncherKind& kind : launcherKinds()) {
        auto made = kind.make(workerProgram);
        auto launcher = made ? std::move(*made) : std::make_unique<RefusingLauncher>(made.error());
        if (made && keeping && kind.keepsWorkers) launcher = run::makeKeptWorkers(std::move(launcher));
        launchers->m_launchers->push_back(std::move(launcher));
    }
    return launchers;
}

run::LauncherFor Launchers::launcherFor() const {
    return [all = m_launchers](const std::string& host) -> run::Launcher& { return *(*all)[kindOf(host)]; };
}

// Workers on this computer.
LauncherKind localLauncher() {
    return {.serves = [](const std::string& host) { return host.empty(); }, .make = makeLocal, .keepsWorkers = true};
}

// Workers on the nodes of the Slurm job that this program was started in.
LauncherKind slurmLauncher() {
    return {.serves = spec::isSlurmHost, .make = makeSlurm, .expand = [](const std::vector<std::string>& hosts) {
                return run::withSlurmNodes(hosts, variable("SLURM_JOB_NODELIST"));
            }};
}

} // namespace trainyard::ctl
