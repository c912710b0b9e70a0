// SPDX-License-Identifier: GPL-3.0-or-later
// lr-find: which learning rate to begin with.
#include "app/ctl/hosts.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/run/lr_find.h"
#include "engine/run/run_follower.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

namespace trainyard::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct LrOptions {
    std::string file;
    std::vector<std::string> overrides;
    run::LrSweep sweep;
};

// A workspace of its own that goes when it is done: the measured run is not one of the user's.
class PassingWorkspace {
public:
    static Result<std::unique_ptr<PassingWorkspace>> make() {
        std::string name = (std::filesystem::temp_directory_path() / "trainyard-lr-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return systemError("cannot make a folder", name);
        auto made = std::make_unique<PassingWorkspace>();
        made->m_folder = name;
        TY_ASSIGN(made->workspace, store::Workspace::open(name));
        return made;
    }
    ~PassingWorkspace() {
        std::error_code ignored;
        if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
    }
    store::Workspace workspace;

private:
    std::filesystem::path m_folder;
};

// To its end, which may be that the loss blew up: that is a result too.
Result<store::RunRow> measure(const Session& session, const store::Workspace& workspace, spec::RunSpec spec) {
    TY_TRY(signInToHostsOf(spec));
    const std::int64_t steps = spec.steps.value_or(0);
    TY_ASSIGN(const std::string run, run::startRun(workspace, std::move(spec)));
    TY_ASSIGN(const auto follower, run::RunFollower::open(workspace, run));
    for (bool ended = false; !ended;) {
        TY_ASSIGN(const auto update, follower->poll(500));
        ended = update.ended;
        if (!session.json && update.state)
            std::fprintf(stderr, "\rstep %lld of %lld ", static_cast<long long>(update.state->step),
                         static_cast<long long>(steps));
    }
    if (!session.json) std::fprintf(stderr, "\n");
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    return query->run(run);
}

Result<run::LrCurve> curveOf(const store::Workspace& workspace, const store::RunRow& row) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto losses, query->points(row.id, "train/loss"));
    TY_ASSIGN(const auto rates, query->points(row.id, "lr"));
    std::map<std::int64_t, double> rateOf;
    for (const auto& point : rates) rateOf[point.step] = point.value;
    std::vector<double> lr, loss;
    for (const auto& point : losses)
        if (const auto found = rateOf.find(point.step); found != rateOf.end()) {
            lr.push_back(found->second);
            loss.push_back(point.value);
        }
    if (loss.size() < 12) { // nothing to judge: the run itself is wrong
        if (row.error.empty())
            return runError("the run ended after " + std::to_string(loss.size()) + " steps", "lr-find");
        return Error{errorKindFromString(row.errorKind), row.error, row.errorWhere, row.errorRemedy};
    }
    return run::judgeRates(lr, loss);
}

Json toJson(const run::LrCurve& curve, const spec::RunSpec& spec) {
    Json points = Json::array();
    for (const auto& point : curve.points)
        points.push_back({{"step", point.step}, {"lr", point.lr}, {"loss", point.loss}, {"smoothed", point.smoothed}});
    const double factor = run::lrRuleFactor(spec.scaling);
    return {{"suggested", curve.suggested ? Json(*curve.suggested / factor) : Json(nullptr)},
            {"lowest_loss_at", curve.lowest / factor},
            {"diverged", curve.diverged},
            {"lr_rule_factor", factor},
            {"workers", spec.scaling.workers},
            {"points", std::move(points)}};
}

void print(const run::LrCurve& curve, const spec::RunSpec& spec) {
    std::vector<std::vector<std::string>> rows{{"RATE", "LOSS", "SMOOTHED"}};
    const auto number = [](double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", value);
        return std::string(text);
    };
    const std::size_t every = std::max<std::size_t>(1, curve.points.size() / 20);
    for (std::size_t i = 0; i < curve.points.size(); i += every)
        rows.push_back({number(curve.points[i].lr), number(curve.points[i].loss), number(curve.points[i].smoothed)});
    printTable(rows);
    const double factor = run::lrRuleFactor(spec.scaling);
    std::printf("lowest loss at %s%s\n", number(curve.lowest).c_str(), curve.diverged ? "; above that it blew up" : "");
    if (!curve.suggested) return void(std::printf("the loss does not fall anywhere: no rate to suggest\n"));
    std::printf("suggested: --set optimizer.lr=%s\n", number(*curve.suggested / factor).c_str());
}

Result<void> lrFind(const Session& session, const LrOptions& options) {
    TY_ASSIGN(const std::string text, readWithOverrides(options.file, options.overrides));
    TY_ASSIGN(const spec::RunSpec spec, spec::parseRunSpec(text, options.file));
    TY_ASSIGN(spec::RunSpec sweep, run::lrSweepRun(spec, options.sweep));
    TY_ASSIGN(const auto passing, PassingWorkspace::make());
    TY_ASSIGN(const store::RunRow row, measure(session, passing->workspace, std::move(sweep)));
    TY_ASSIGN(const run::LrCurve curve, curveOf(passing->workspace, row));
    if (session.json) printJson(toJson(curve, spec));
    else print(curve, spec);
    return {};
}

} // namespace

void addLrFindCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<LrOptions>();
    auto* command = app.add_subcommand("lr-find", "find a learning rate for a run file by a short training");
    command->add_option("FILE", options->file, "run file (JSON)")->required();
    command->add_option("--set", options->overrides, "path=value: replaces one field of the file; may be repeated")
        ->take_all();
    command->add_option("--from", options->sweep.from, "rate of the first step")->capture_default_str();
    command->add_option("--to", options->sweep.to, "rate of the last step")->capture_default_str();
    command->add_option("--steps", options->sweep.steps, "how many steps")->capture_default_str();
    command->footer(
        "Trains a copy of the run, with all its workers, while the rate grows by the same factor each step.\n"
        "Nothing is kept. With --json: suggested, lowest_loss_at, diverged, lr_rule_factor, workers, and\n"
        "points (step, lr, loss, smoothed). Suggestions are for optimizer.lr: scaling.lrRule is taken out.");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto done = lrFind(session, *options);
            return done ? 0 : fail(done.error());
        };
    });
}

} // namespace trainyard::ctl
