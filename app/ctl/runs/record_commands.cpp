// SPDX-License-Identifier: GPL-3.0-or-later
// metrics, logs.
#include "app/ctl/interrupt.h"
#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/record/series/metrics_csv.h"
#include "engine/run/record/series/system_series.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

Result<std::vector<std::string>> chosenSeries(store::RunQuery& query, const std::string& run, const std::string& one) {
    TY_ASSIGN(auto names, query.seriesNames(run));
    if (one.empty()) return names;
    if (std::find(names.begin(), names.end(), one) != names.end()) return std::vector{one};
    const auto near = nearestWord(one, names);
    return inputError("the run has no series \"" + printable(one, 60) + "\"", "--series",
                      near.empty() ? "" : "did you mean " + near + "?");
}

Result<Json> pointsJson(store::RunQuery& query, const std::string& run, const std::vector<std::string>& names) {
    Json json = Json::object();
    for (const auto& name : names) {
        TY_ASSIGN(const auto points, query.points(RunId(run), name));
        auto& list = json[name] = Json::array();
        for (const auto& point : points)
            list.push_back({{"step", point.step},
                            {"epoch", point.epoch},
                            {"time_s", point.seconds},
                            {"value", std::isfinite(point.value) ? Json(point.value) : Json(nullptr)}});
    }
    return json;
}

Result<int> metrics(const Session& session, const std::string& run, const std::string& series, bool csv) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto row, open.query->run(run));
    TY_ASSIGN(const auto names, chosenSeries(*open.query, row.id, series));
    if (csv) {
        TY_ASSIGN(const auto text, run::metricsCsv(*open.query, row.id, series));
        std::fwrite(text.data(), 1, text.size(), stdout);
        return 0;
    }
    if (session.json) {
        TY_ASSIGN(const auto json, pointsJson(*open.query, row.id, names));
        return printJson(json);
    }
    TY_ASSIGN(auto summaries, open.query->summaries(row.id));
    std::stable_partition(summaries.begin(), summaries.end(),
                          [](const auto& each) { return !run::isSystemSeries(each.series); });
    std::vector<std::vector<std::string>> table{{"series", "points", "last", "at step", "least", "greatest"}};
    for (const auto& each : summaries) {
        if (std::find(names.begin(), names.end(), each.series) == names.end()) continue;
        std::array<std::array<char, 32>, 3> text{};
        const std::array values{each.last, each.min, each.max};
        for (std::size_t index = 0; index < values.size(); ++index)
            std::snprintf(text[index].data(), text[index].size(), "%.6g", values[index]);
        table.push_back(
            {each.series, grouped(each.count), text[0].data(), grouped(each.lastStep), text[1].data(), text[2].data()});
    }
    printTable(table);
    return 0;
}

std::string rankText(const wire::LogLine& line) {
    return line.rank < 0 ? "supervisor" : "rank " + std::to_string(line.rank);
}

Json logJson(const wire::LogLine& line) {
    return {{"time", isoTime(line.wallMs)},
            {"rank", line.rank < 0 ? Json(nullptr) : Json(line.rank)},
            {"level", line.level},
            {"text", line.text}};
}

void printLine(const wire::LogLine& line) {
    std::printf("%s  %-10s  %-7s  %s\n", isoTime(line.wallMs).c_str(), rankText(line).c_str(), line.level.c_str(),
                printable(line.text, 4000).c_str());
}

// With --json one object a line, since the list has no end.
Result<int> followLog(const Session& session, const store::Workspace& workspace, const std::string& run) {
    countInterrupts();
    TY_ASSIGN(const auto follower, run::RunFollower::open(workspace, run));
    while (interrupts() == 0) {
        TY_ASSIGN(const auto update, follower->poll(200));
        for (const auto& line : update.log)
            if (session.json) std::printf("%s\n", asciiJson(logJson(line)).c_str());
            else printLine(line);
        std::fflush(stdout);
        if (update.ended) break;
    }
    return 0;
}

Result<int> logs(const Session& session, const std::string& run, bool follow) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto row, open.query->run(run));
    if (follow) return followLog(session, open.workspace, row.id);
    TY_ASSIGN(const auto lines, open.query->log(row.id));
    Json list = Json::array();
    for (const auto& line : lines)
        if (session.json) list.push_back(logJson(line));
        else printLine(line);
    return session.json ? printJson(list) : 0;
}

} // namespace

void addRecordCommands(CLI::App& app, Session& session) {
    struct Options {
        std::string run, series;
        bool csv = false, follow = false;
    };
    const auto options = std::make_shared<Options>();
    const auto ending = [](const Result<int>& code) { return code ? *code : fail(code.error()); };
    auto* metricsCommand = app.add_subcommand("metrics", "print the measured series of a run");
    metricsCommand->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
    metricsCommand->add_option("--series", options->series, "one series only, for example val/accuracy");
    metricsCommand->add_flag("--csv", options->csv, "all points: series,step,epoch,time_s,value");
    addCommonOptions(*metricsCommand, session);
    metricsCommand->callback([&session, options, ending] {
        session.action = [&session, options, ending] {
            return ending(metrics(session, options->run, options->series, options->csv));
        };
    });
    auto* logsCommand =
        app.add_subcommand("logs", "print the logs of a run: output of its ranks, notes of its supervisor");
    logsCommand->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
    logsCommand->add_flag("--follow,-f", options->follow, "follow until the run ends");
    addCommonOptions(*logsCommand, session);
    logsCommand->callback([&session, options, ending] {
        session.action = [&session, options, ending] { return ending(logs(session, options->run, options->follow)); };
    });
}

} // namespace trainyard::ctl
