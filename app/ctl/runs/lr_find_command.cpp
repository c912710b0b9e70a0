// SPDX-License-Identifier: GPL-3.0-or-later
// lr-find: which learning rate to begin with.
#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/start/lr_find.h"
#include "engine/spec/sweep/overrides.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

namespace trainyard::ctl {
namespace {

struct LrOptions {
    std::string file;
    std::vector<std::string> overrides;
    run::LrSweep sweep;
};

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
    std::printf("lowest loss at %s%s\n", number(curve.lowest).c_str(),
                curve.diverged ? "; above that it diverged" : "");
    if (!curve.suggested) return void(std::printf("the loss never falls, so there is no learning rate to suggest\n"));
    std::printf("suggested: --set optimizer.lr=%s\n", number(*curve.suggested / factor).c_str());
}

Result<void> lrFind(const Session& session, const LrOptions& options) {
    TY_ASSIGN(const std::string text, spec::readWithOverrides(options.file, options.overrides));
    TY_ASSIGN(const spec::RunSpec spec, spec::parseRunSpec(text, options.file));
    TY_TRY(signInToHostsOf(spec));
    const auto show = [&](std::int64_t step) {
        std::fprintf(stderr, "\rstep %lld of %lld ", static_cast<long long>(step),
                     static_cast<long long>(options.sweep.steps));
    };
    const auto curve = run::findRates(spec, options.sweep, session.json ? std::function<void(std::int64_t)>() : show);
    if (!session.json) std::fprintf(stderr, "\n");
    if (!curve) return curve.error();
    if (session.json) printJson(toJson(*curve, spec));
    else print(*curve, spec);
    return {};
}

} // namespace

void addLrFindCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<LrOptions>();
    auto* command = app.add_subcommand("lr-find", "find a learning rate for a run file with a short training");
    command->add_option("FILE", options->file, "run file (JSON)")->required();
    command->add_option("--set", options->overrides, "path=value: replaces one field of the file; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    command->add_option("--from", options->sweep.from, "learning rate of the first step")->capture_default_str();
    command->add_option("--to", options->sweep.to, "learning rate of the last step")->capture_default_str();
    command->add_option("--steps", options->sweep.steps, "how many steps")->capture_default_str();
    command->footer("Trains a copy of the run, with all its workers, while the learning rate grows by the same factor "
                    "each step.\nNothing is kept. With --json: suggested, lowest_loss_at, diverged, lr_rule_factor, "
                    "workers, and\npoints (step, lr, loss, smoothed). Suggestions are for optimizer.lr, without the "
                    "factor of scaling.lrRule.");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto done = lrFind(session, *options);
            return done ? 0 : fail(done.error());
        };
    });
}

} // namespace trainyard::ctl
