// SPDX-License-Identifier: GPL-3.0-or-later
// scaling, estimate: what a run file would cost, by running it for some seconds.
#include "app/ctl/interrupt.h"
#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/runs/estimate.h"
#include "app/ctl/session.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/pool/asked_worker.h"
#include "engine/run/launch/programs.h"
#include "engine/run/start/run_start.h"
#include "engine/run/start/scaling.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct Options {
    std::string file;
    std::vector<std::string> overrides;
    std::vector<int> workers;
    std::int64_t steps = 0;
    double seconds = 5;
};

Result<spec::RunSpec> specOf(const Options& options) {
    TY_ASSIGN(const auto text, spec::readWithOverrides(options.file, options.overrides));
    if (spec::isSweepFile(text))
        return inputError("is a sweep file, and only a run file can be measured", options.file,
                          "give the run file that the sweep starts from");
    TY_ASSIGN(auto spec, spec::parseRunSpec(text, options.file));
    return run::validated(std::move(spec), options.file);
}

Result<run::BriefTimes> measured(const spec::RunSpec& spec, int workers, const Options& options) {
    return run::measureWorkers(spec, workers, {options.steps, options.seconds}, [] { return interrupts() > 0; });
}

Json pointJson(const run::ScalingPoint& point) {
    const auto& times = point.times;
    Json shares = Json::object(), ranks = Json::array();
    for (const auto& [part, seconds] : times.parts) shares[part] = times.share(part);
    for (const auto& rank : times.ranks)
        ranks.push_back({{"rank", rank.rank},
                         {"host", rank.host},
                         {"compute", rank.beat.computeShare},
                         {"comm", rank.beat.commShare},
                         {"data", rank.beat.dataShare},
                         {"memory_bytes", rank.beat.residentBytes}});
    return {{"workers", times.workers},
            {"samples_per_s", times.samplesPerSecond},
            {"step_s", times.stepSeconds},
            {"steps", times.steps},
            {"speed_up", point.speedUp},
            {"efficiency", point.efficiency},
            {"shares", std::move(shares)},
            {"binds", point.binds},
            {"straggler", point.straggler.empty() ? Json(nullptr) : Json(point.straggler)},
            {"launch_to_first_step_s", times.launchSeconds},
            {"others_share", times.othersShare},
            {"disturbed", times.wasDisturbed()},
            {"ranks", std::move(ranks)}};
}

std::string text(const char* format, double value) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

void printCard(const std::vector<run::ScalingPoint>& card, bool globalBatch) {
    std::vector<std::vector<std::string>> table{{"workers", "samples/s", "speed-up", "efficiency", "compute",
                                                 "communication", "data", "bottleneck", "straggler"}};
    for (const auto& point : card) {
        const auto& times = point.times;
        const double compute = std::max(0.0, 1 - times.share("comm") - times.share("data"));
        table.push_back({std::to_string(times.workers), grouped(std::lround(times.samplesPerSecond)),
                         text("%.2f x", point.speedUp), text("%.0f%%", 100 * point.efficiency),
                         text("%.0f%%", 100 * compute), text("%.0f%%", 100 * times.share("comm")),
                         text("%.0f%%", 100 * times.share("data")), point.binds,
                         point.straggler.empty() ? "-" : point.straggler});
    }
    printTable(table);
    std::printf("%s\n", globalBatch ? "the samples of a step are divided among the workers (batch.global)"
                                    : "each worker takes the same number of samples a step (batch.perRank)");
    for (const auto& point : card)
        if (point.times.wasDisturbed())
            std::printf("other programs used %.0f%% of the cores while %d worker%s trained: these measurements are not "
                        "representative of an idle computer; measure again without them\n",
                        100 * point.times.othersShare, point.times.workers, point.times.workers == 1 ? "" : "s");
    std::printf("advice: %s\n", run::scalingAdvice(card).text.c_str());
}

int scalingCommand(const Session& session, const Options& options) {
    const auto spec = specOf(options);
    if (!spec) return fail(spec.error());
    if (const auto signedIn = signInToHostsOf(*spec); !signedIn) return fail(signedIn.error());
    countInterrupts();
    std::vector<run::BriefTimes> times;
    // The run file's own number is the most, unless others are asked for.
    const auto counts = options.workers.empty() ? run::scalingCounts(spec->scaling.workers) : options.workers;
    for (const int workers : counts) {
        auto each = measured(*spec, workers, options);
        if (!each) return fail(each.error());
        times.push_back(std::move(*each));
    }
    const bool globalBatch = spec->batch.global.has_value();
    const auto card = run::scalingCard(times, globalBatch);
    if (!session.json) {
        printCard(card, globalBatch);
        return 0;
    }
    const auto advice = run::scalingAdvice(card);
    Json points = Json::array();
    for (const auto& point : card) points.push_back(pointJson(point));
    return printJson({{"file", options.file},
                      {"batch", globalBatch ? "global" : "perRank"},
                      {"points", std::move(points)},
                      {"advice", {{"workers", advice.workers}, {"text", advice.text}}}});
}

// The bytes that a worker's tensors need, from shapes alone.
Result<std::int64_t> calculatedBytes(const spec::RunSpec& spec, const store::Workspace& workspace) {
    const auto file = workspace.root / ("estimate-" + std::to_string(::getpid()) + ".json");
    TY_TRY(writeFileAtomic(file, spec::toJson(spec)));
    const auto done = run::askWorker(run::workerProgram(), {"preview", file.string()}, 120);
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    if (!done) return done.error();
    const auto json = parseJson(done->output);
    if (done->exitCode != 0 || !json.is_object() || !json.contains("memory"))
        return environmentError("the worker cannot preview the run: " + done->errors, "estimate");
    return json["memory"].value("perWorker", std::int64_t{0});
}

Result<int> estimate(const Session& session, const Options& options) {
    TY_ASSIGN(const auto spec, specOf(options));
    TY_TRY(signInToHostsOf(spec));
    TY_ASSIGN(const auto workspace, session.workspace());
    countInterrupts();
    TY_ASSIGN(const auto bytes, calculatedBytes(spec, workspace));
    TY_ASSIGN(const auto times, measured(spec, spec.scaling.workers, options));
    const Json json = estimateJson(times, bytes);
    TY_TRY(keepEstimate(workspace, spec, json));
    if (session.json) return printJson(json);
    std::printf("%s steps of %s: %s of training (%s samples/s), first step after %s, %s of memory for each of %d "
                "workers\n",
                grouped(times.totalSteps).c_str(), text("%.3g s", times.stepSeconds).c_str(),
                duration(times.stepSeconds * static_cast<double>(times.totalSteps)).c_str(),
                grouped(std::lround(times.samplesPerSecond)).c_str(), duration(times.launchSeconds).c_str(),
                bytesText(std::max(bytes, times.residentBytes)).c_str(), times.workers);
    return 0;
}

CLI::App* added(CLI::App& app, Session& session, Options& options, const char* name, const char* what) {
    auto* command = app.add_subcommand(name, what);
    command->add_option("FILE", options.file, "run file (JSON)")->required();
    command->add_option("--set", options.overrides, "path=value: replaces one field of the file; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    command->add_option("--steps", options.steps, "end after this many steps (0: by time only)")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
    command->add_option("--seconds", options.seconds, "end after this many seconds of training")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    addCommonOptions(*command, session);
    return command;
}

} // namespace

void addScalingCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<Options>();
    auto* scaling = added(app, session, *options, "scaling",
                          "measure a run file with 1, 2, ... workers: speed-up, efficiency, bottleneck");
    scaling
        ->add_option("--workers", options->workers, "numbers of workers; the first is the baseline, for example 1,2,4")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096));
    scaling->callback(
        [&session, options] { session.action = [&session, options] { return scalingCommand(session, *options); }; });
    auto* estimated =
        added(app, session, *options, "estimate", "estimate the time and memory of a run file with a short training");
    estimated->callback([&session, options] {
        session.action = [&session, options] {
            const auto code = estimate(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
