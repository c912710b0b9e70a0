// SPDX-License-Identifier: GPL-3.0-or-later
// runs, show.
#include "app/ctl/program/record_text.h"
#include "app/ctl/program/source_list.h"
#include "app/ctl/runs/follow.h"
#include "app/ctl/runs/result_json.h"
#include "app/ctl/session.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/actions/repair_workspace.h"
#include "engine/run/attach/attach_client.h"
#include "engine/run/filter/stored_runs.h"
#include "engine/run/program/facts/program_record.h"
#include "engine/run/record/data_file.h"
#include "engine/run/record/disk_forecast.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/record/series/system_series.h"
#include "engine/run/share/copy_as.h"
#include "engine/store/last_words.h"
#include "engine/sweep/results/sweep_result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

namespace trainyard::ctl {
namespace {

// A run that was imported began with its first point.
std::int64_t beganMs(const store::RunRow& row) { return row.startedMs > 0 ? row.startedMs : row.createdMs; }

std::string scoreCell(store::RunQuery& query, const store::RunRow& row, const sweep::RunScores& scores) {
    const auto summaries = query.summaries(row.id);
    if (!summaries) return "-";
    const auto score = scores.of(row, *summaries);
    for (const auto& summary : *summaries) {
        if (summary.series != score.series) continue;
        const double value = run::scoredPoint(summary, score).value;
        char text[32];
        std::snprintf(text, sizeof text, "%.4f", value);
        return std::isfinite(value) ? text : "-";
    }
    return "-";
}

// Those that live on other hosts: what they do is known there.
void printAway(const store::Workspace& workspace) {
    const auto away = run::homeNotes(workspace);
    if (away.empty()) return;
    std::vector<std::vector<std::string>> table{{"on another host", "name", "host", "began"}};
    for (const auto& each : away) table.push_back({each.id, each.name, each.host, shortTime(each.startedMs)});
    std::printf("\n");
    printTable(table);
}

// Runs whose record is lost: the list would pass over them in silence. Returns whether there are any.
bool tellUnrecorded(const OpenWorkspace& open) {
    const auto known = open.query->runs(true);
    const auto unrecorded = known ? run::unrecordedRuns(open.workspace, *known) : std::vector<std::string>();
    if (unrecorded.empty()) return false;
    const auto text = run::unrecordedError(open.workspace, unrecorded.size()).text();
    std::fprintf(stderr, "trainyardctl: %s\n", text.c_str());
    return true;
}

int runsCommand(const Session& session, bool archived, const std::string& filter) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto found = run::findRuns(*open->query, archived, filter);
    if (!found) return fail(found.error());
    const bool hasLost = tellUnrecorded(*open);
    if (session.json) {
        Json list = Json::array();
        for (const auto& row : found->runs) {
            auto json = resultJson(*open->query, row);
            if (!json) return fail(json.error());
            list.push_back(std::move(*json));
        }
        return printJson(list);
    }
    if (found->runs.empty() && found->of > 0) {
        std::printf("0 of %zu runs match\n", found->of);
        return 0;
    }
    if (found->runs.empty()) {
        if (!hasLost)
            std::printf("no runs in %s yet; start one with: trainyardctl run FILE.json\n",
                        open->workspace.root.c_str());
        printAway(open->workspace);
        return 0;
    }
    sweep::RunScores scores;
    if (const auto sweeps = open->query->sweeps()) scores.note(*sweeps);
    std::vector<std::vector<std::string>> table{
        {"run", "name", "status", "epoch", "step", "best score", "workers", "began"}};
    for (const auto& row : found->runs) {
        char epoch[24];
        std::snprintf(epoch, sizeof epoch, "%.4g", row.epoch);
        table.push_back({row.id, row.name, wire::toString(row.status), epoch, grouped(row.step),
                         scoreCell(*open->query, row, scores), std::to_string(row.worldSize), shortTime(beganMs(row))});
    }
    printTable(table);
    if (filter.empty()) printAway(open->workspace);
    return 0;
}

// evaluation.json of the run's folder; null without one.
Json evaluationOf(const store::RunRow& row) {
    const auto text = readFile(run::RunFolder{row.folder}.evaluationFile());
    auto json = text ? parseJson(*text) : Json();
    return json.is_object() ? json : Json();
}

// How much was trained on, and what was read otherwise than it stands.
void printData(const Json& data) {
    if (!data.is_object()) return;
    if (const auto text = run::dataText(data); !text.empty()) std::printf("data: %s\n", text.c_str());
    const auto notes = data.find("notes");
    if (notes == data.end() || !notes->is_array()) return;
    for (const auto& note : *notes)
        if (note.is_string()) std::printf("  note: %s\n", forTerminal(note.get<std::string>()).c_str());
}

// "test of the best checkpoint (step 120): accuracy 0.93, loss 0.2101, samples 300"
void printTests(const Json& evaluation) {
    if (!evaluation.is_object() || !evaluation.contains("test") || !evaluation["test"].is_object()) return;
    for (const auto& [which, metrics] : evaluation["test"].items()) {
        if (!metrics.is_object()) continue;
        std::map<std::string, double> measured;
        for (const auto& [name, value] : metrics.items())
            if (value.is_number() && name != "step" && name != "epoch") measured[name] = value.get<double>();
        const auto step =
            metrics.contains("step") && metrics["step"].is_number() ? metrics["step"].get<std::int64_t>() : 0;
        std::printf("test of the %s checkpoint (step %s): %s\n", printable(which).c_str(), grouped(step).c_str(),
                    metricText(measured).c_str());
    }
    std::printf("\n");
}

// A run as it is, where its supervisor cannot bring that into the store: what it says to those who ask, or has left
// when it ended. Returns its notice.
std::string askSupervisor(store::RunRow& row) {
    constexpr int kAnswerMs = 300;
    if (!wire::isActive(row.status)) return {};
    if (!store::RunLock::isHeld(row.folder)) {
        const auto words = store::lastWords(row.folder);
        if (!words) return {};
        row.status = wire::RunStatus::Failed;
        row.error = *words;
        return {};
    }
    auto client = run::AttachClient::connect(row);
    bool closed = false;
    const auto messages = client ? client->receive(kAnswerMs, closed) : client.error();
    if (!messages) return {};
    for (const auto& message : *messages)
        if (const auto* state = std::get_if<wire::RunState>(&message)) {
            row.status = state->status;
            row.step = state->step;
            row.epoch = state->epoch;
            row.trainSeconds = state->trainSeconds;
            return state->notice;
        }
    return {};
}

// Last, since it may be long: when the curves changed their course, and why.
void printEvents(const Json& events) {
    if (events.empty()) return;
    std::vector<std::vector<std::string>> table{{"after step", "trained", "event"}};
    for (const auto& event : events)
        table.push_back({grouped(event["step"].get<std::int64_t>()),
                         event["time_s"].is_number() ? duration(event["time_s"].get<double>()) : "-",
                         printable(event["text"].get<std::string>(), 300)});
    std::printf("\n");
    printTable(table);
}

// Nothing where the run file cannot be read, or no checkpoint tells what one takes.
std::optional<run::DiskForecast> forecastOf(store::RunQuery& query, const store::RunRow& row) {
    auto rows = query.checkpoints(row.id);
    if (!rows || rows->empty()) return std::nullopt;
    const auto forecast = run::forecastDisk(row, std::move(*rows), run::secondsLeft(row));
    return forecast ? std::optional(*forecast) : std::nullopt;
}

Json diskJson(const std::optional<run::DiskForecast>& forecast) {
    if (!forecast) return nullptr;
    const bool fills = forecast->level != run::DiskForecast::Level::Fine;
    return {{"checkpoint_bytes", forecast->bytes},
            {"most_bytes", forecast->mostBytes},
            {"each_bytes", forecast->eachBytes},
            {"free_bytes", forecast->freeBytes},
            {"full_after_saves", fills ? Json(forecast->savesToFull) : Json(nullptr)},
            {"full_after_s", fills && forecast->secondsToFull >= 0 ? Json(forecast->secondsToFull) : Json(nullptr)},
            {"warning", fills ? Json(run::diskWarning(*forecast)) : Json(nullptr)}};
}

void printDisk(const std::optional<run::DiskForecast>& forecast) {
    if (!forecast) return;
    std::printf("%s\n", run::describe(*forecast).text().c_str());
    if (const auto warning = run::diskWarning(*forecast); !warning.empty())
        std::printf("  note: %s\n", warning.c_str());
}

// Those that tell of the training, or those of the ranks and computers.
void printSeries(const char* title, const std::vector<store::SeriesSummary>& summaries, bool system) {
    std::vector<std::vector<std::string>> series{{title, "points", "last", "least", "greatest"}};
    for (const auto& each : summaries) {
        if (system ? !run::isSystemSeries(each.series) : !run::tellsOfTraining(each.series)) continue;
        std::vector<std::string> cells{each.series, grouped(each.count)};
        for (const double value : {each.last, each.min, each.max}) {
            char text[32];
            std::snprintf(text, sizeof text, system ? "%.4g" : "%.6g", value);
            cells.emplace_back(text);
        }
        series.push_back(std::move(cells));
    }
    if (system && series.size() == 1) return;
    std::printf("\n");
    printTable(series);
}

// A program tells neither its length nor its samples.
void printProgress(const store::RunRow& row) {
    std::printf("began %s, trained %s, first step after %s", shortTime(beganMs(row)).c_str(),
                duration(row.trainSeconds).c_str(), duration(row.launchToFirstStep).c_str());
    if (row.samplesPerSecond > 0)
        std::printf(", %s samples/s", grouped(static_cast<std::int64_t>(row.samplesPerSecond)).c_str());
    std::printf("\nepoch %.4g, step %s", row.epoch, grouped(row.step).c_str());
    if (row.totalSteps > 0) std::printf(" of %s", grouped(row.totalSteps).c_str());
    std::printf(", %d restart%s\nfolder %s\n\n", row.restarts, row.restarts == 1 ? "" : "s", row.folder.c_str());
}

void printShow(const Json& result, const store::RunRow& row, const std::vector<store::SeriesSummary>& summaries,
               const std::optional<run::DiskForecast>& forecast) {
    std::printf("%s (%s) is %s\n", shownName(row.name).c_str(), row.id.c_str(), wire::toString(row.status));
    const char* of = row.status == wire::RunStatus::Finished ? "the last attempt to continue it failed: " : "";
    if (result["error"].is_string())
        std::printf("  %s%s\n", of, forTerminal(result["error"].get<std::string>()).c_str());
    if (result["notice"].is_string())
        std::printf("  note: %s\n", forTerminal(result["notice"].get<std::string>()).c_str());
    printProgress(row);
    printData(result["data"]);
    if (const auto made = result.find("made_of"); made != result.end()) printMadeOf(*made, row.folder);
    printDisk(forecast);
    printTests(result["evaluation"]);
    std::vector<std::vector<std::string>> workers{{"rank", "host", "pid", "device", "status"}};
    for (const auto& worker : result["workers"]) {
        const auto host = worker["host"].get<std::string>();
        workers.push_back({std::to_string(worker["rank"].get<int>()), host.empty() ? "this computer" : host,
                           std::to_string(worker["pid"].get<std::int64_t>()), worker["device"].get<std::string>(),
                           worker["status"].get<std::string>()});
    }
    printTable(workers);
    if (result["computed"].is_string())
        std::printf("computed with %s\n", forTerminal(result["computed"].get<std::string>()).c_str());
    printSeries("series", summaries, false);
    printSources(result["sources"]);
    printSeries("system", summaries, true);
    printEvents(result["events"]);
}

// show --as
int showAs(const Session& session, const std::string& run, const std::string& word) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->run(run);
    if (!row) return fail(row.error());
    const auto text = run::copyAs(*open->query, open->workspace, *row, *run::copyFormFromString(word));
    if (!text) return fail(text.error());
    if (session.json) return printJson({{"run", row->id}, {"as", word}, {"text", *text}});
    return std::printf("%s", text->c_str()) >= 0 ? 0 : exitCode(ErrorKind::Environment);
}

// `waiting`: what the job of the run waits for, which has been queued again; empty: it is as its record says.
int showCommand(const Session& session, const std::string& run, const std::string& waiting) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    auto row = open->query->run(run);
    if (!row) {
        const auto sweep = sweepNow(*open, run);
        return sweep ? showSweep(session, *open->query, *sweep) : fail(row.error());
    }
    const auto notice = askSupervisor(*row);
    if (!waiting.empty()) {
        row->status = wire::RunStatus::Queued;
        row->error = {};
        row->error.message = waiting;
    }
    auto result = resultJson(*open->query, *row);
    if (!result) return fail(result.error());
    if (!notice.empty()) (*result)["notice"] = notice;
    (*result)["evaluation"] = evaluationOf(*row);
    (*result)["data"] = run::readDataFile(run::RunFolder{row->folder});
    if (const auto made = run::readProgramRecord(run::RunFolder{row->folder}); !made.is_null())
        (*result)["made_of"] = made;
    const auto forecast = forecastOf(*open->query, *row);
    (*result)["disk"] = diskJson(forecast);
    if (session.json) return printJson(*result);
    const auto summaries = open->query->summaries(row->id);
    if (!summaries) return fail(summaries.error());
    printShow(*result, *row, *summaries, forecast);
    return 0;
}

} // namespace

void addListCommands(CLI::App& app, Session& session) {
    struct Options {
        std::string run, filter, as, waiting;
        bool archived = false;
    };
    const auto options = std::make_shared<Options>();
    auto* runs = app.add_subcommand("runs", "list the runs of the workspace, newest first");
    runs->add_flag("--archived", options->archived, "also list archived runs");
    runs->add_option("--filter", options->filter, "only runs that match, for example \"lr<0.1 and not status:failed\"");
    addCommonOptions(*runs, session);
    runs->callback([&session, options] {
        session.action = [&session, options] { return runsCommand(session, options->archived, options->filter); };
    });
    auto* show = app.add_subcommand("show", "show a run or sweep in full");
    show->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
    show->add_option(
            "--as", options->as,
            "print text that starts an equal run (command, run-file, c++) or loads its best checkpoint (python)")
        ->check(CLI::IsMember({"command", "run-file", "c++", "python"}));
    show->add_option("--waiting", options->waiting)->group(""); // of a job of Slurm
    addCommonOptions(*show, session);
    show->callback([&session, options] {
        session.action = [&session, options] {
            return options->as.empty() ? showCommand(session, options->run, options->waiting)
                                       : showAs(session, options->run, options->as);
        };
    });
}

} // namespace trainyard::ctl
