// SPDX-License-Identifier: GPL-3.0-or-later
// validate, and how lists of the catalog are printed.
#include "app/ctl/session.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/judge/slot_count.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

std::string paramsText(const spec::Entry& entry) {
    std::string text;
    for (const auto& param : entry.params)
        text += (text.empty() ? "" : ", ") + param.name + "=" + spec::toText(param.defaultValue);
    return text;
}

std::string countText(std::int64_t count, const char* word) {
    return grouped(count) + " " + word + (count == 1 ? "" : "s");
}

Result<std::string> validateRun(const std::string& text, const std::string& file) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(text, file));
    TY_ASSIGN(spec, run::validated(std::move(spec), file));
    return countText(spec.scaling.workers, "worker") + ", each " + countText(spec.perRankBatch(), "sample") +
           " a pass: " + countText(spec.globalBatch(), "sample") + " a step";
}

Result<std::string> validateSweep(const std::string& text, const std::string& file) {
    TY_ASSIGN(auto spec, spec::parseSweepSpec(text, file));
    TY_ASSIGN(const auto sweep, sweep::validated(std::move(spec), file));
    const int trials = spec::isOpenEnded(sweep.spec) ? 0 : sweep.trials;
    return countText(sweep.trials, "trial") + ", " +
           sweep::describe(sweep::slotCount(sweep.spec, sweep.workers, {.trials = trials})).text();
}

// A "runFile" entry of a sweep is read relative to its file, so sweeps are parsed from the file, not from the text.
Result<std::string> validateFile(const std::string& file) {
    TY_ASSIGN(const auto text, readFile(file, 16u << 20));
    if (!spec::isSweepFile(text)) return validateRun(text, file);
    TY_ASSIGN(const auto sweep, spec::readSweepSpec(file));
    return validateSweep(spec::toJson(sweep), file);
}

int validateCommand(const Session& session, const std::vector<std::string>& files) {
    int code = 0;
    Json list = Json::array();
    for (const auto& file : files) {
        const auto checked = validateFile(file);
        if (session.json) {
            list.push_back({{"file", file},
                            {"ok", checked.ok()},
                            {"error", checked ? Json(nullptr) : Json(checked.error().text())},
                            {"error_kind", checked ? Json(nullptr) : Json(toString(checked.error().kind))},
                            {"error_code", checked ? Json(nullptr) : Json(toString(checked.error().code))}});
            if (!checked) code = exitCode(checked.error().kind);
        } else if (checked) {
            std::printf("%s: ok, %s\n", file.c_str(), checked->c_str());
        } else {
            code = fail(checked.error());
        }
    }
    if (session.json) printJson(files.size() == 1 ? list.front() : list);
    return code;
}

} // namespace

int printCatalogEntries(const Session& session, const char* key, std::vector<spec::Entry> spec::Catalog::* list) {
    const auto catalog = run::loadCatalog(run::workerProgram());
    if (!catalog) return fail(catalog.error());
    if (session.json) {
        const auto json = parseJson(spec::toJson(**catalog));
        if (json.is_object() && json.contains(key)) return printJson(json[key]);
    }
    std::vector<std::vector<std::string>> table{{"name", "", "parameters", ""}};
    for (const auto& entry : (**catalog).*list) {
        std::string facts = entry.available ? "" : "not available: " + entry.unavailable;
        for (const auto& [name, value] : entry.facts)
            if (entry.available) facts += (facts.empty() ? "" : ", ") + name + " " + value;
        table.push_back({entry.name, entry.title, paramsText(entry), facts});
    }
    printTable(table);
    return 0;
}

void addCatalogCommands(CLI::App& app, Session& session) {
    const auto files = std::make_shared<std::vector<std::string>>();
    auto* validate = app.add_subcommand("validate", "check run and sweep files without starting anything");
    validate->add_option("FILE", *files, "run or sweep files (JSON)")->required();
    addCommonOptions(*validate, session);
    validate->callback(
        [&session, files] { session.action = [&session, files] { return validateCommand(session, *files); }; });
}

} // namespace trainyard::ctl
