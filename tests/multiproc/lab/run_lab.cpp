// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/multiproc/lab/run_lab.h"

#include "engine/base/clock.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/same_tensors.h"
#include "tests/pause.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

namespace trainyard::test {

std::int64_t newestCheckpoint(const std::filesystem::path& runFolder) {
    std::int64_t newest = 0;
    for (const auto& entry : std::filesystem::directory_iterator(runFolder / "checkpoints")) {
        const auto name = entry.path().filename().string(); // step-0000000040.safetensors
        if (name.starts_with("step-") && name.ends_with(".safetensors"))
            newest = std::max(newest, std::int64_t{std::atoll(name.c_str() + 5)});
    }
    return newest;
}

namespace {

// Copies the catalogs of one folder that another one lacks or has of another time. A catalog says of which program's
// file it is, and is asked for anew where that is another one.
void copyCatalogs(const std::filesystem::path& from, const std::filesystem::path& to) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::create_directories(to, ignored);
    for (const auto& entry : fs::directory_iterator(from, ignored)) {
        const auto copy = to / entry.path().filename();
        const auto draft = copy.string() + "." + std::to_string(::getpid());
        if (!copy.filename().string().starts_with("catalog-")) continue;
        if (fs::exists(copy, ignored) && fs::last_write_time(copy, ignored) >= entry.last_write_time(ignored)) continue;
        if (fs::copy_file(entry.path(), draft, fs::copy_options::overwrite_existing, ignored))
            fs::rename(draft, copy, ignored);
    }
}

} // namespace

// What the real worker offers is the same for all tests of a build, and takes half a second to ask for.
void RunLab::exchangeCatalogs() {
    static const std::filesystem::path kept = std::filesystem::path(SCRIPTED_PROGRAMS) / ".." / "catalogs";
    static const auto cache = std::filesystem::path(sharedFolder()) / "cache" / "trainyard";
    copyCatalogs(kept, cache);
    copyCatalogs(cache, kept);
}

RunLab::RunLab() {
    (void)builtPrograms(); // while the environment still names them
    qputenv("TRAINYARD_BIN", SCRIPTED_PROGRAMS);
    qputenv("XDG_CACHE_HOME", (sharedFolder() + "/cache").c_str());
    qputenv("XDG_RUNTIME_DIR", sharedFolder().c_str());
    qputenv("TRAINYARD_WORKSPACE", (folder() + "/ws").c_str());
    m_workspace = *store::Workspace::open(folder() + "/ws");
    m_query = std::move(*store::RunQuery::open(m_workspace));
}

std::string RunLab::sharedFolder() {
    static const QTemporaryDir folder; // a pool ends with the folder of its socket
    return folder.path().toStdString();
}

void RunLab::shareNothing() const {
    qputenv("XDG_CACHE_HOME", (folder() + "/cache").c_str());
    qputenv("XDG_RUNTIME_DIR", folder().c_str());
}

RunLab::~RunLab() {
    const auto rows = m_query->runs(true);
    if (!rows) return;
    for (const auto& each : *rows)
        if (store::RunLock::isHeld(each.folder)) (void)run::stopRun(m_workspace, each.id, wire::StopMode::Kill);
    for (const auto& each : *rows) // a supervisor writes until it lets go of the lock
        waitUntil([&] { return !store::RunLock::isHeld(each.folder); });
}

spec::RunSpec RunLab::spec(const Plan& plan) const {
    spec::RunSpec spec;
    spec.name = "scripted";
    spec.model = {"scripted", {{"plan", plan.plan}}};
    spec.dataset = {"nothing", {}};
    spec.optimizer = {"sgd", {{"lr", plan.lr}}};
    spec.epochs = plan.epochs;
    spec.scaling.workers = plan.workers;
    spec.failure = {plan.maxRestarts, plan.heartbeatSeconds};
    spec.checkpoint.keep = plan.keep;
    spec.storage = plan.storage;
    return spec;
}

std::string RunLab::start(const Plan& plan) { return started(spec(plan)); }

std::string RunLab::started(const spec::RunSpec& spec) {
    const auto run = run::startRun(m_workspace, spec);
    if (run) return *run;
    std::fprintf(stderr, "cannot start: %s\n", run.error().text().c_str());
    return {};
}

QByteArray RunLab::builtPrograms() {
    static const QByteArray folder = qgetenv("TRAINYARD_BIN");
    return folder;
}

spec::RunSpec RunLab::spirals(int workers, std::int64_t steps) {
    spec::RunSpec spec;
    spec.model = {"mlp", {{"hidden", std::vector<double>{64, 64}}}};
    spec.dataset = {"spirals", {}};
    spec.optimizer = {"adam", {{"lr", 0.003}}};
    spec.batch = {20, std::nullopt, 1};
    spec.epochs.reset();
    spec.steps = steps;
    spec.scaling.workers = workers;
    spec.scaling.threadsPerWorker = 1;
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.everySteps = 400;
    return spec;
}

spec::RunSpec RunLab::spiralsWithoutCheckpoint(int workers, std::int64_t steps) {
    auto spec = spirals(workers, steps);
    spec.model.params["dropout"] = 0.1;
    spec.checkpoint.everySteps = steps;
    return spec;
}

std::string RunLab::startReal(const spec::RunSpec& spec) {
    if (builtPrograms().isEmpty()) qunsetenv("TRAINYARD_BIN"); // those beside this one
    else qputenv("TRAINYARD_BIN", builtPrograms());
    exchangeCatalogs();
    auto run = started(spec);
    exchangeCatalogs();
    return run;
}

store::RunRow RunLab::row(const std::string& run) {
    const auto found = m_query->run(run);
    return found ? *found : store::RunRow{};
}

store::RunRow RunLab::waitForEnd(const std::string& run, double seconds) {
    store::RunRow last;
    const bool ended = waitUntil(
        [&] {
            last = row(run);
            return !wire::isActive(last.status) && !store::RunLock::isHeld(last.folder);
        },
        seconds);
    if (!ended)
        std::fprintf(stderr, "run %s did not end: %s, step %lld\n%s\n", run.c_str(), wire::toString(last.status),
                     static_cast<long long>(last.step), logText(run).c_str());
    return last;
}

store::RunRow RunLab::stopped(const std::string& run) {
    if (!run::stopRun(m_workspace, run, wire::StopMode::SaveAndStop).ok()) return {};
    return waitForEnd(run, 120);
}

std::string RunLab::trained(spec::RunSpec spec, std::int64_t steps) {
    spec.steps = steps;
    const auto run = startReal(unpaced(spec));
    return waitForEnd(run, 120).status == wire::RunStatus::Finished ? run : std::string();
}

bool RunLab::waitUntil(const std::function<bool()>& condition, double seconds) {
    const double deadline = monotonicSeconds() + seconds * test::patience();
    for (;;) {
        const auto asked = std::chrono::steady_clock::now();
        if (condition()) return true;
        if (monotonicSeconds() > deadline) return false;
        std::this_thread::sleep_for(pauseAfter(std::chrono::steady_clock::now() - asked));
    }
}

bool RunLab::waitForStep(const std::string& run, std::int64_t step, double seconds) {
    return waitUntil(
        [&] {
            const auto known = points(run);
            return !known.empty() && known.back().step >= step;
        },
        seconds);
}

std::vector<wire::Point> RunLab::points(const std::string& run, const std::string& series) {
    const auto found = m_query->points(RunId(run), series);
    return found ? *found : std::vector<wire::Point>{};
}

std::vector<std::int64_t> RunLab::workerPids(const std::string& run) {
    std::vector<std::int64_t> pids;
    waitUntil([&] {
        pids.clear();
        const auto workers = m_query->workers(run);
        if (workers)
            for (const auto& worker : *workers)
                if (worker.pid > 0 && worker.status == wire::RankStatus::Running) pids.push_back(worker.pid);
        return !pids.empty() && static_cast<int>(pids.size()) == row(run).worldSize;
    });
    return pids;
}

bool RunLab::gone(const std::vector<std::int64_t>& pids, double seconds) {
    return waitUntil(
        [&] {
            for (const auto pid : pids)
                if (run::isAlive(pid)) return false;
            return true;
        },
        seconds);
}

std::string RunLab::logText(const std::string& run) {
    std::string text;
    const auto lines = m_query->log(run);
    if (lines)
        for (const auto& line : *lines) text += std::to_string(line.rank) + " " + line.level + " " + line.text + "\n";
    return text;
}

std::string RunLab::contiguity(const std::string& run, std::int64_t last) {
    const auto known = points(run);
    for (std::size_t index = 0; index < known.size(); ++index)
        if (known[index].step != static_cast<std::int64_t>(index) + 1)
            return "point " + std::to_string(index) + " is of step " + std::to_string(known[index].step);
    if (static_cast<std::int64_t>(known.size()) == last) return {};
    return std::to_string(known.size()) + " points instead of " + std::to_string(last);
}

std::string RunLab::curveDifference(const std::string& run, const std::string& other, const std::string& series) {
    const auto one = points(run, series), two = points(other, series);
    std::string differing;
    int count = 0;
    for (std::size_t i = 0; i < std::min(one.size(), two.size()); ++i) {
        const auto &a = one[i], &b = two[i];
        if (a.step == b.step && std::memcmp(&a.value, &b.value, sizeof a.value) == 0) continue;
        if (++count <= 3)
            differing += "; step " + std::to_string(a.step) + ": " + std::to_string(a.value) + ", and step " +
                         std::to_string(b.step) + ": " + std::to_string(b.value);
    }
    if (one.empty() || one.size() != two.size())
        differing += "; " + std::to_string(one.size()) + " points and " + std::to_string(two.size());
    return differing.empty() ? "" : series + ": " + std::to_string(count) + " points differ" + differing;
}

std::string RunLab::lastCheckpoint(const std::string& run) {
    const auto rows = m_query->checkpoints(run);
    return rows && !rows->empty() ? rows->back().path : std::string();
}

std::string RunLab::difference(const std::string& run, const std::string& other) {
    return test::difference(lastCheckpoint(run), lastCheckpoint(other));
}

std::string RunLab::differenceOnceResumed(const std::string& run, const std::string& undisturbed, std::int64_t steps) {
    if (const auto resumed = run::resumeRun(m_workspace, run); !resumed) return resumed.error().text();
    for (const auto& each : {run, undisturbed})
        if (const auto end = waitForEnd(each, 120); end.status != wire::RunStatus::Finished)
            return each + " is " + wire::toString(end.status);
    for (const auto& wrong :
         {contiguity(run, steps), difference(undisturbed, run), curveDifference(undisturbed, run, "train/loss"),
          curveDifference(undisturbed, run, "train/accuracy")})
        if (!wrong.empty()) return wrong;
    return {};
}

} // namespace trainyard::test
