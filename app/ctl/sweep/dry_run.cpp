// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep FILE --dry-run`: what would be trained.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/judge/foresee.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/results/warm_start.h"
#include "engine/sweep/values/pinned_split.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace trainyard::ctl {
namespace {

constexpr int kListed = 20; // configurations

Json foreseenJson(const spec::SweepSpec& spec, const sweep::Foreseen& foreseen) {
    Json first = Json::array();
    for (int i = 0; i < foreseen.known; ++i)
        first.push_back(parseJson(spec::paramsToText(foreseen.first[static_cast<std::size_t>(i)])));
    const auto& slots = foreseen.slots;
    const auto counted = [&](auto count) { return foreseen.openEnded ? Json(nullptr) : Json(count); };
    return {{"name", spec.name},
            {"configurations", counted(foreseen.configurations)},
            {"trials", counted(foreseen.trials)},
            {"searcher", foreseen.searcher},
            {"scheduler", spec.scheduler.name},
            {"rungs", foreseen.rungs},
            {"unit", foreseen.epochs ? "epochs" : "steps"},
            {"longest", counted(foreseen.longest)},
            {"typical", counted(foreseen.typical)},
            {"slots",
             {{"count", slots.slots},
              {"cores", slots.cores},
              {"workers", slots.workers},
              {"threads", slots.threads},
              {"text", sweep::describe(slots).text()}}},
            {"first", std::move(first)}};
}

std::string trialsText(const spec::SweepSpec& spec, const sweep::Foreseen& foreseen) {
    if (foreseen.openEnded) return "as many as the budget allows";
    std::string text = std::to_string(foreseen.trials);
    if (spec.seeds > 1)
        text += " (" + std::to_string(foreseen.configurations) + " configurations, " + std::to_string(spec.seeds) +
                " seeds)";
    return text;
}

std::string lengthText(const sweep::Foreseen& foreseen) {
    const std::string most = spec::toText(foreseen.longest), typical = spec::toText(std::round(foreseen.typical));
    return most == typical ? most : "at most " + most + ", typically " + typical;
}

std::string schedulerText(const spec::SweepSpec& spec, const sweep::Foreseen& foreseen) {
    std::string rungs;
    for (const double rung : foreseen.rungs) rungs += (rungs.empty() ? ", rungs at " : ", ") + spec::toText(rung);
    return spec.scheduler.name + rungs;
}

void print(const spec::SweepSpec& spec, const sweep::Foreseen& foreseen) {
    std::vector<std::vector<std::string>> table{{"trials", trialsText(spec, foreseen)}};
    table.push_back(
        {"searcher", foreseen.searcher + (foreseen.reason.empty() ? "" : " (" + foreseen.reason.text() + ")")});
    table.push_back({"scheduler", schedulerText(spec, foreseen)});
    table.push_back({"compared by", spec.second ? spec.scoreBy + " and " + spec.second->series : spec.scoreBy});
    table.push_back({"slots", sweep::describe(foreseen.slots).text()});
    const auto run = spec::parseRunSpec(spec.runJson);
    const bool knowsLength = !foreseen.openEnded && !(run && run->program); // a program knows itself when it ends
    if (knowsLength) table.push_back({foreseen.epochs ? "epochs" : "steps", lengthText(foreseen)});
    for (const auto& each : sweep::contraryModes(spec)) table.push_back({"note", sweep::contraryModeText(each)});
    printTable(table);
    for (int i = 0; i < foreseen.known; ++i)
        std::printf("  %s\n", spec::paramsToText(foreseen.first[static_cast<std::size_t>(i)]).c_str());
    const int left = foreseen.configurations - foreseen.known;
    if (foreseen.openEnded) std::printf("  and so on, as far as the budget allows\n");
    else if (left > 0) std::printf("  and %d more\n", left);
}

} // namespace

int dryRunSweep(const Session& session, const std::string& text, const std::string& file) {
    auto spec = spec::parseSweepSpec(text, file);
    if (spec && !spec->warmStart.empty()) {
        const auto workspace = session.workspace();
        if (!workspace) return fail(workspace.error());
        spec = sweep::withPinnedSplit(std::move(*spec));
        if (spec) spec = sweep::withEarlierResults(*workspace, std::move(*spec));
    }
    if (!spec) return failIn(file, spec.error());
    const auto valid = sweep::validated(std::move(*spec), file);
    if (!valid) return failIn(file, valid.error());
    const auto foreseen = sweep::foresee(valid->spec, kListed);
    if (!foreseen) return failIn(file, foreseen.error());
    if (session.json) return printJson(foreseenJson(valid->spec, *foreseen));
    print(valid->spec, *foreseen);
    return 0;
}

} // namespace trainyard::ctl
