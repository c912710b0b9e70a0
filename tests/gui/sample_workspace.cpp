// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/sample_workspace.h"

#include "engine/base/clock.h"
#include "engine/base/text/ids.h"
#include "engine/spec/run/run_spec.h"

#include <QHash>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace trainyard::testing {

namespace {

template <class T>
T need(Result<T> result) {
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(result).value();
}
void need(const Result<void>& result) {
    if (!result) qFatal("%s", result.error().text().c_str());
}

// The same noise in every process: a hash of the step.
double noise(std::int64_t step, unsigned salt) {
    std::uint64_t x = static_cast<std::uint64_t>(step) * 0x9E3779B97F4A7C15ull + salt;
    x ^= x >> 31;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 29;
    return static_cast<double>(x % 100000) / 50000.0 - 1.0;
}

constexpr double kSecondsPerStep = 0.02;
constexpr int kValidateEvery = 60;

wire::Point pointAt(const SampleRun& run, std::int64_t step, double value) {
    return {step, static_cast<double>(step) * 5.0 / run.steps, static_cast<double>(step) * kSecondsPerStep, value};
}

std::vector<store::CheckpointRow> checkpointsOf(const SampleRun& run, const std::filesystem::path& folder) {
    std::vector<store::CheckpointRow> rows;
    for (int epoch = 3; epoch <= 5; ++epoch) {
        store::CheckpointRow row;
        row.path =
            (folder / "checkpoints" / ("step-" + std::to_string(epoch * run.steps / 5) + ".safetensors")).string();
        row.step = epoch * run.steps / 5;
        row.epoch = epoch;
        row.bytes = 5'350'000;
        row.wallMs = wallClockMs();
        row.metrics = {{"val/accuracy", run.best - 0.004 * (4 - epoch) * (4 - epoch)},
                       {"val/loss", 0.2 + 0.01 * epoch}};
        row.best = epoch == 4;
        row.last = epoch == 5;
        row.pinned = epoch == 4 && run.name == QLatin1String("brave-otter");
        rows.push_back(row);
    }
    return rows;
}

} // namespace

std::string sampleRunJson(const SampleRun& run) {
    spec::RunSpec spec;
    spec.name = run.name.toStdString();
    spec.model = {run.model.toStdString(), {}};
    spec.optimizer = {"sgd", {{"lr", run.lr}, {"momentum", 0.9}}};
    spec.batch = {std::nullopt, 128, 1};
    spec.epochs = 5;
    return spec::toJson(spec);
}

void addPoints(store::Store& store, const std::string& id, const SampleRun& run, int from, int to) {
    const auto salt = static_cast<unsigned>(qHash(run.name));
    const double speed = 0.004 + 0.002 * noise(7, salt);
    std::vector<wire::SeriesPoints> deltas(4);
    const char* const names[] = {"train/loss", "lr", "samples_per_s", "val/accuracy"};
    for (std::size_t i = 0; i < 4; ++i) {
        deltas[i].series = names[i];
        deltas[i].firstIndex = i < 3 ? from : (from + kValidateEvery - 1) / kValidateEvery;
    }
    for (int step = from; step < to; ++step) {
        const double t = step * speed;
        deltas[0].points.push_back(pointAt(run, step, 0.22 + 2.1 * std::exp(-t * 2.5) + 0.06 * noise(step, salt)));
        deltas[1].points.push_back(pointAt(run, step, run.lr * (0.5 + 0.5 * std::cos(3.14159 * step / run.steps))));
        deltas[2].points.push_back(pointAt(run, step, 41000 + 900 * noise(step, salt + 1)));
        if (step % kValidateEvery == 0) {
            deltas[3].points.push_back(
                pointAt(run, step, run.best - 0.5 * std::exp(-t * 3) + 0.003 * noise(step, salt + 2)));
        }
    }
    need(store.appendPoints(id, deltas));
}

std::string addRun(store::Store& store, const store::Workspace& workspace, const SampleRun& run) {
    store::RunRow row;
    row.id = newId();
    row.name = run.name.toStdString();
    row.status = *wire::runStatusFromString(run.status.toStdString());
    row.specJson = sampleRunJson(run);
    row.sweep = run.sweep.toStdString();
    row.trial = run.trial;
    row.paramsJson = run.trial < 0 ? "{}" : "{\"optimizer.lr\": " + std::to_string(run.lr) + "}";
    row.tags = run.tags.toStdString();
    row.createdMs = wallClockMs() - run.minutesAgo * 60'000;
    row.startedMs = row.createdMs + 20;
    const bool ended = run.status != QLatin1String("running") && run.status != QLatin1String("queued");
    row.finishedMs = ended ? row.createdMs + static_cast<std::int64_t>(run.steps * kSecondsPerStep * 1000) : 0;
    row.step = run.steps;
    row.totalSteps = run.steps;
    row.epoch = 5;
    row.worldSize = 2;
    row.trainSeconds = run.steps * kSecondsPerStep;
    row.samplesPerSecond = 41000;
    row.error.message = run.error.toStdString();
    if (!run.error.isEmpty()) row.error.code = ErrorCode::LossNotFinite; // of the one that fails
    row.folder = workspace.runFolder(row.id).string();
    row.environmentJson = "{}";
    std::filesystem::create_directories(row.folder);
    need(store.createRun(row));
    if (run.status == QLatin1String("queued")) return row.id;
    addPoints(store, row.id, run, 0, run.steps);
    need(store.setCheckpoints(row.id, checkpointsOf(run, row.folder)));
    std::vector<wire::WorkerState> workers(2);
    for (int rank = 0; rank < 2; ++rank) {
        auto& worker = workers[static_cast<std::size_t>(rank)];
        worker.rank = rank;
        worker.device = "cpu";
        worker.status = wire::RankStatus::Finished;
        worker.beat.samplesPerSecond = 20500;
        worker.beat.dataShare = 0.04;
        worker.beat.computeShare = 0.8;
        worker.beat.commShare = 0.16;
    }
    need(store.setWorkers(row.id, workers));
    need(store.appendLog(row.id,
                         {{-1, "info", "run " + row.name + ", generation 1, 2 ranks on this computer", row.startedMs},
                          {0, "info", "Fashion-MNIST, 60,000 train, 10,000 validation", row.startedMs + 300},
                          {1, "info", "Fashion-MNIST, shard 1 of 2", row.startedMs + 310},
                          {1, "warn", "matrix products run at 2.5 GFLOP/s: install OpenBLAS", row.startedMs + 350}}));
    return row.id;
}

void fillSampleWorkspace(const store::Workspace& workspace) {
    const auto store = need(store::Store::open(workspace));
    const double rates[] = {0.01, 0.03, 0.1, 0.3};
    store::SweepRow sweep;
    sweep.id = newId();
    sweep.name = "lr-of-mlp";
    sweep.status = wire::RunStatus::Finished;
    sweep.specJson = R"({"version": 1, "run": {}, "space": {"optimizer.lr": [0.01, 0.03, 0.1, 0.3]}})";
    sweep.trials = 4;
    sweep.createdMs = wallClockMs() - 50 * 60'000;
    need(store->createSweep(sweep));
    for (int trial = 0; trial < 4; ++trial) {
        SampleRun run{QStringLiteral("lr-of-mlp-%1").arg(trial), QStringLiteral("finished"), rates[trial],
                      QStringLiteral("mlp"), QStringLiteral("sweep")};
        run.best = 0.925 - 0.02 * std::abs(std::log10(rates[trial] / 0.1));
        run.sweep = QString::fromStdString(sweep.id);
        run.trial = trial;
        run.minutesAgo = 50 - trial;
        addRun(*store, workspace, run);
    }
    const char* const names[] = {"brave-otter",  "calm-finch",   "eager-lynx",
                                 "mellow-heron", "quiet-marten", "amber-vole"};
    for (int i = 0; i < 6; ++i) {
        SampleRun run{QString::fromLatin1(names[i]), QStringLiteral("finished"), 0.02 * (i + 1),
                      i % 2 ? QStringLiteral("convnet") : QStringLiteral("mlp")};
        run.best = 0.90 + 0.006 * i;
        run.tags = i == 2 ? QStringLiteral("baseline") : QString();
        run.minutesAgo = 30 - 4 * i;
        addRun(*store, workspace, run);
    }
    SampleRun failed{QStringLiteral("rusty-badger"), QStringLiteral("failed"), 3.0};
    failed.steps = 80;
    failed.error = QStringLiteral("the loss is not finite at step 80");
    failed.minutesAgo = 3;
    addRun(*store, workspace, failed);
    SampleRun stopped{QStringLiteral("windy-elk"), QStringLiteral("stopped")};
    stopped.steps = 300;
    addRun(*store, workspace, stopped);
}

} // namespace trainyard::testing
