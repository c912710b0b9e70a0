// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/runs/follow.h"

#include "app/ctl/interrupt.h"
#include "app/ctl/runs/result_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/quoted.h"
#include "engine/run/actions/stop_cost.h"
#include "engine/run/attach/terminal_progress.h"
#include "engine/run/record/disk_forecast.h"
#include "engine/run/record/place/saved_place.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/curves_svg.h"
#include "engine/spec/run/run_spec.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

constexpr int kPollMs = 100;

const char* words(wire::StopMode mode, bool isProgram) {
    switch (mode) {
    case wire::StopMode::SaveAndStop:
        if (isProgram) return "stopping: the program is asked to end, and may save (Ctrl+C again: stop now)";
        return "stopping: the run saves a checkpoint first (Ctrl+C again: stop now)";
    case wire::StopMode::StopNow: return "stopping now (Ctrl+C again: kill)";
    case wire::StopMode::AtCheckpoint: return "stopping at the next checkpoint (Ctrl+C again: save and stop)";
    case wire::StopMode::Kill: return "killing the run's processes";
    }
    return "";
}

wire::StopMode modeFor(int interruptCount) {
    return interruptCount <= 1   ? wire::StopMode::SaveAndStop
           : interruptCount == 2 ? wire::StopMode::StopNow
                                 : wire::StopMode::Kill;
}

// Tells once when the disk will be too small for the run's checkpoints, and once when it is.
class DiskWatch {
public:
    std::string warning(store::RunQuery& query, store::RunRow row, const wire::RunState& state) {
        auto rows = query.checkpoints(row.id);
        if (!rows) return {};
        row.status = state.status;
        const auto forecast = run::forecastDisk(row, std::move(*rows), state.etaSeconds);
        if (!forecast || forecast->level <= m_told) return {};
        m_told = forecast->level;
        return run::diskWarning(*forecast);
    }

private:
    run::DiskForecast::Level m_told = run::DiskForecast::Level::Fine;
};

// The last state; nothing when Ctrl+C left the run alone.
Result<std::optional<wire::RunState>> watch(const Session& session, const store::Workspace& workspace,
                                            const store::RunRow& row, OnInterrupt onInterrupt) {
    countInterrupts();
    TY_ASSIGN(const auto follower, run::RunFollower::open(workspace, row.id));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    DiskWatch disk;
    using Progress = run::TerminalProgress;
    Progress progress(Progress::chooseStyle(session.json ? Progress::Style::Silent : Progress::Style::Lines), row.name);
    const auto spec = spec::parseRunSpec(row.specJson);
    const bool isProgram = spec && spec->program;
    wire::RunState state;
    int seen = 0;
    for (;;) {
        TY_ASSIGN(const auto update, follower->poll(kPollMs));
        if (update.state) state = *update.state;
        progress.update(update);
        if (update.ended) return std::optional(state);
        if (update.checkpointsChanged)
            if (const auto warning = disk.warning(*query, row, state); !warning.empty()) progress.say(warning);
        if (interrupts() == seen) continue;
        seen = interrupts();
        if (onInterrupt == OnInterrupt::Leave) {
            progress.say("the run continues; trainyardctl stop " + row.id + " ends it");
            return std::optional<wire::RunState>();
        }
        if (seen == 1)
            if (const auto cost = run::stopCostLine(*query, row); !cost.empty()) progress.say(cost);
        progress.say(words(modeFor(seen), isProgram));
        const auto stopped = follower->stop(modeFor(seen));
        if (!stopped) progress.say(stopped.error().text()); // it may have ended meanwhile: the next poll tells
    }
}

// When it is resumed as it is: first what its error says has to be done.
bool failsAgain(const store::RunRow& row) {
    const auto failure = row.error;
    return row.status == wire::RunStatus::Failed &&
           (failure.kind == ErrorKind::Input || failure.code == ErrorCode::LossNotFinite ||
            (failure.code == ErrorCode::OutOfMemory && row.step == 0));
}

void printSummary(const Json& result, const store::RunRow& row, const std::string& curves) {
    std::printf("%s %s after %s: epoch %.4g, step %s, %d worker%s", shownName(row.name).c_str(),
                wire::toString(row.status), duration(row.trainSeconds).c_str(), row.epoch, grouped(row.step).c_str(),
                row.worldSize, row.worldSize == 1 ? "" : "s");
    if (row.restarts > 0) std::printf(", %d restart%s", row.restarts, row.restarts == 1 ? "" : "s");
    std::printf("\n");
    std::vector<std::string> reported;
    for (const auto& [series, best] : result["best"].items()) reported.push_back(series);
    const auto scoreBy = run::scoreOf(row, reported).series;
    if (result["best"].contains(scoreBy) && result["best"][scoreBy]["value"].is_number())
        std::printf("  best %-14s %.4f at step %s\n", scoreBy.c_str(), result["best"][scoreBy]["value"].get<double>(),
                    grouped(result["best"][scoreBy]["step"].get<std::int64_t>()).c_str());
    const auto test = run::testSeriesOf(scoreBy);
    if (result["metrics"].contains(test) && result["metrics"][test].is_number())
        std::printf("  %-19s %.4f on the test samples\n", test.c_str(), result["metrics"][test].get<double>());
    const auto& best = result["best_checkpoint"].is_null() ? result["checkpoint"] : result["best_checkpoint"];
    if (best.is_string()) std::printf("  checkpoint          %s\n", best.get<std::string>().c_str());
    if (!curves.empty()) std::printf("  curves              %s\n", curves.c_str());
    std::printf("  run folder          %s\n", row.folder.c_str());
    const auto spec = spec::parseRunSpec(row.specJson);
    const bool isProgram = spec && spec->program; // what a program saves is its own
    if (best.is_string() && !run::savedPlaceOf(best.get<std::string>()).host.empty())
        std::printf("  copy it here        trainyardctl fetch %s@%s\n", row.id.c_str(),
                    result["best_checkpoint"].is_null() ? "last" : "best");
    else if (best.is_string() && isProgram)
        std::printf("  what is in it       trainyardctl checkpoints inspect %s\n",
                    shellArgument(best.get<std::string>()).c_str());
    else if (best.is_string())
        std::printf("  export the model    trainyardctl export %s --format safetensors --out %s.safetensors\n",
                    row.id.c_str(), row.id.c_str());
    if (result["notice"].is_string())
        std::printf("  note                %s\n", forTerminal(result["notice"].get<std::string>()).c_str());
    if (row.status != wire::RunStatus::Finished && !failsAgain(row))
        std::printf("  resume              trainyardctl resume %s\n", row.id.c_str());
}

// Of a run that had finished: what it has is not the result of this.
int sayNotContinued(const Session& session, store::RunQuery& query, const store::RunRow& row) {
    if (session.json)
        if (const auto printed = printResult(session, query, row); !printed) return fail(printed.error());
    const int code = fail(row.error);
    std::fprintf(stderr, "trainyardctl: %s was not continued, and stays finished\n", shownName(row.name).c_str());
    return code;
}

} // namespace

Result<std::filesystem::path> writeCurves(store::RunQuery& query, const store::RunRow& row) {
    std::map<std::string, std::vector<wire::Point>> series;
    for (const char* name : {"train/loss", "val/loss", "train/accuracy", "val/accuracy"}) {
        TY_ASSIGN(auto points, query.points(RunId(row.id), name));
        if (!points.empty()) series[name] = std::move(points);
    }
    if (series.empty()) return std::filesystem::path();
    const auto path = std::filesystem::path(row.folder) / "curves.svg";
    TY_TRY(writeFileAtomic(path, run::curvesSvg(shownName(row.name), series)));
    return path;
}

Result<void> printResult(const Session& session, store::RunQuery& query, const store::RunRow& row) {
    TY_ASSIGN(const auto result, resultJson(query, row));
    const auto curves = writeCurves(query, row);
    if (session.json) printJson(result);
    else printSummary(result, row, curves ? curves->string() : std::string());
    return {};
}

int followRun(const Session& session, const store::Workspace& workspace, const std::string& run,
              OnInterrupt onInterrupt) {
    auto query = store::RunQuery::open(workspace);
    if (!query) return fail(query.error());
    auto row = (*query)->run(run);
    if (!row) return fail(row.error());
    const auto watched = watch(session, workspace, *row, onInterrupt);
    if (!watched) return fail(watched.error());
    const auto& state = *watched;
    if (!state) return 0;
    row = (*query)->run(row->id);
    if (!row) return fail(row.error());
    if (wire::isActive(row->status) && !wire::isActive(state->status)) { // its end could not be stored
        row->status = state->status;
        row->step = state->step;
        row->epoch = state->epoch;
        row->trainSeconds = state->trainSeconds;
        row->error = state->error;
    }
    if (row->status == wire::RunStatus::Finished && !row->error.message.empty())
        return sayNotContinued(session, **query, *row);
    if (const auto printed = printResult(session, **query, *row); !printed) return fail(printed.error());
    if (row->status == wire::RunStatus::Failed) fail(row->error);
    if (row->status == wire::RunStatus::Interrupted)
        fail(runError("the run's supervisor died", "run " + row->name, "trainyardctl resume " + row->id)
                 .withCode(ErrorCode::SupervisorLost));
    if (state->processesLeft > 0 || !state->unseenOn.empty())
        std::fprintf(stderr, "trainyardctl: after the end of the run: %s\n", state->leftText().c_str());
    return exitCodeOf(row->status, row->error.kind);
}

} // namespace trainyard::ctl
