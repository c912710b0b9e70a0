// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/serve/serve_bench.h"

#include "app/ctl/interrupt.h"
#include "engine/base/machine/cores.h"
#include "engine/serve/control/service_bench.h"
#include "engine/serve/control/service_client.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

struct BenchWords {
    std::string name;
    double targetMs = 0, seconds = 2, rate = 0;
    int connections = 32;
};

void printStep(const BenchStep& step) {
    std::printf("%9.0f a second  p50 %8.2f ms  p99 %8.2f ms  batch %5.1f  %lld right", step.rate, step.p50Ms,
                step.p99Ms, step.batchRows, static_cast<long long>(step.right));
    if (step.refused > 0) std::printf(", %lld refused", static_cast<long long>(step.refused));
    if (step.late > 0) std::printf(", %lld late", static_cast<long long>(step.late));
    if (step.wrong > 0)
        std::printf(", %lld WRONG: %s", static_cast<long long>(step.wrong), forTerminal(step.firstWrong).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

Json stepJson(const BenchStep& step) {
    return {{"rate", step.rate},       {"achieved", step.achieved}, {"p50_ms", step.p50Ms}, {"p99_ms", step.p99Ms},
            {"batch", step.batchRows}, {"sent", step.sent},         {"right", step.right},  {"wrong", step.wrong},
            {"refused", step.refused}, {"late", step.late}};
}

// What would let it bear more.
std::string advice(const BenchResult& result, const ServiceView& view) {
    if (result.best.rate <= 0)
        return "it does not bear the first rate within the target: raise --target, or serve a smaller model";
    const BenchStep& last = result.steps.back();
    const int cores = availableCores(), replicas = view.spec.maxReplicas;
    if (replicas < cores)
        return "more replicas may bear more: --replicas " + std::to_string(std::min(cores, replicas * 2)) +
               " (it has " + std::to_string(replicas) + ", and the computer " + std::to_string(cores) + " cores)";
    if (last.batchRows > 0.8 * view.spec.batchMax)
        return "its batches are full: try --batch " + std::to_string(std::min(1024, view.spec.batchMax * 2));
    return "all " + std::to_string(cores) + " cores have a replica, and batches hold " +
           std::to_string(static_cast<int>(last.batchRows + 0.5)) + " of " + std::to_string(view.spec.batchMax) +
           " rows: this is what the computer bears, this client included";
}

int bench(const Session& session, const BenchWords& words) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto view = viewService(*workspace, words.name);
    if (!view) return fail(view.error());
    if (!view->isServed || view->status.signatures.empty())
        return fail(runError("does not answer requests now", "service " + words.name,
                             "start it: trainyardctl serve resume " + words.name));
    const auto token = tokenOf(view->folder);
    if (!token) return fail(token.error());
    countInterrupts();
    BenchOptions options;
    options.url = view->status.url;
    options.token = *token;
    options.model = view->status.signatures.front();
    options.targetMs = words.targetMs > 0 ? words.targetMs : view->spec.targetMs;
    options.stepSeconds = words.seconds;
    options.connections = words.connections;
    options.isStopped = [] { return interrupts() > 0; };
    if (words.rate > 0) {
        const auto step = benchAt(options, words.rate);
        if (!step) return fail(step.error());
        if (session.json) return printJson(stepJson(*step));
        printStep(*step);
        return step->wrong == 0 ? 0 : exitCode(ErrorKind::Run);
    }
    const auto result = benchService(options, [&](const BenchStep& step) {
        if (!session.json) printStep(step);
    });
    if (!result) return fail(result.error());
    if (session.json) {
        Json steps = Json::array();
        for (const auto& each : result->steps) steps.push_back(stepJson(each));
        return printJson(Json{{"steps", std::move(steps)},
                              {"best", stepJson(result->best)},
                              {"half", stepJson(result->half)},
                              {"advice", advice(*result, *view)}});
    }
    std::printf(
        "%s bears %.0f requests a second with a p99 of %.1f ms at most; at half of that p50 %.2f ms, p99 %.2f ms\n",
        words.name.c_str(), result->best.rate, options.targetMs, result->half.p50Ms, result->half.p99Ms);
    std::printf("%s\n", advice(*result, *view).c_str());
    return 0;
}

} // namespace

void addBenchCommand(CLI::App& serve, Session& session) {
    const auto words = std::make_shared<BenchWords>();
    auto* command = serve.add_subcommand("bench", "raise the rate of requests until the p99 breaks, and advise");
    command->add_option("NAME", words->name, "the service")->required();
    command->add_option("--target", words->targetMs, "milliseconds of the p99 that still count (the service's own)");
    command->add_option("--seconds", words->seconds, "of each rate (2)")->check(CLI::Range(0.1, 3600.0));
    command->add_option("--rate", words->rate, "this rate alone, in requests a second");
    command->add_option("--connections", words->connections, "that requests are sent over (32)")
        ->check(CLI::Range(1, 64));
    addCommonOptions(*command, session);
    command->callback([&session, words] { session.action = [&session, words] { return bench(session, *words); }; });
}

} // namespace trainyard::ctl::serving
