// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run takes from its launch to the first step, by starting the program and from a warm pool, and how long
// from kill -9 of a rank to the next step of the whole group: recovery_bench [REPEATS] [launch|kill]; without a word
// both. The Fashion-MNIST network of the other benchmarks, two ranks of one thread, whole supervisors. Exit code 77:
// the dataset is not installed.
#include "engine/base/clock.h"
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace trainyard;
using test::RunLab;

namespace {

spec::RunSpec network(std::int64_t steps) {
    spec::RunSpec spec;
    spec.model = {"mlp", {{"hidden", std::vector<double>{512, 512}}}};
    spec.dataset = {"fashion-mnist", {}};
    spec.optimizer = {"sgd", {{"lr", 1e-3}}};
    spec.batch = {32, std::nullopt, 1};
    spec.epochs.reset();
    spec.steps = steps;
    spec.scaling.workers = 2;
    spec.scaling.threadsPerWorker = 1;
    spec.checkpoint.everyEpochs = 0;
    spec.failure.maxRestarts = 1000;
    return spec;
}

std::string started(RunLab& lab, std::int64_t steps) {
    auto run = lab.startReal(network(steps));
    if (run.empty()) std::exit(1);
    return run;
}

void show(const char* what, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    if (milliseconds.empty()) return;
    std::printf("%-44s median %7.1f ms, %7.1f to %7.1f, %zu times\n", what, milliseconds[milliseconds.size() / 2],
                milliseconds.front(), milliseconds.back(), milliseconds.size());
    std::fflush(stdout);
}

// Launch to first step of a run of its own.
double launch(RunLab& lab) {
    const auto row = lab.waitForEnd(started(lab, 20), 120);
    return row.launchToFirstStep * 1000;
}

std::vector<double> recoveries(RunLab& lab, int repeats) {
    const auto run = started(lab, 100'000'000);
    std::vector<double> times;
    lab.waitForStep(run, 20, 60);
    lab.waitUntil([] { return false; }, 4); // the pool takes the dataset over once it has nothing else to do
    for (int i = 0; i < repeats; ++i) {
        const auto pids = lab.workerPids(run);
        const auto known = lab.query().log(run);
        const std::size_t lines = known ? known->size() : 0;
        const std::int64_t killedMs = wallClockMs();
        ::kill(static_cast<pid_t>(pids[static_cast<std::size_t>(i % 2)]), SIGKILL);
        std::int64_t backMs = 0;
        lab.waitUntil(
            [&] {
                const auto log = lab.query().log(run);
                for (std::size_t line = lines; log && line < log->size(); ++line)
                    if ((*log)[line].text.starts_with("all ranks train again")) backMs = (*log)[line].wallMs;
                return backMs > 0;
            },
            60);
        if (backMs > 0) times.push_back(static_cast<double>(backMs - killedMs));
        lab.waitUntil([] { return false; }, 1.5);
    }
    (void)run::stopRun(lab.workspace(), run, wire::StopMode::Kill);
    lab.waitForEnd(run, 30);
    return times;
}

void launches(RunLab& lab, int repeats) {
    std::vector<double> cold, warm;
    qputenv("TRAINYARD_POOL", "off");
    for (int i = 0; i < repeats; ++i) cold.push_back(launch(lab));
    show("launch to first step, by program", cold);
    qunsetenv("TRAINYARD_POOL");
    const double first = launch(lab);
    lab.waitUntil([] { return false; }, 4);
    for (int i = 0; i < repeats; ++i) warm.push_back(launch(lab));
    show("launch to first step, pool that just starts", {first});
    show("launch to first step, warm pool", warm);
}

} // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 5;
    const std::string what = argc > 2 ? argv[2] : "";
    if (repeats < 1 || (!what.empty() && what != "launch" && what != "kill")) {
        std::fprintf(stderr, "recovery_bench [REPEATS >= 1] [launch|kill]\n");
        return 2;
    }
    if (!QFile::exists(QStringLiteral("/usr/share/datasets/fashion-mnist"))) {
        std::fprintf(stderr, "skipped: needs dataset-fashion-mnist\n");
        return 77;
    }
    RunLab lab;
    if (what != "kill") launches(lab, repeats);
    if (what != "launch") show("kill -9 to the next step of all ranks", recoveries(lab, repeats));
    return 0;
}
