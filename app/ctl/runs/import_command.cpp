// SPDX-License-Identifier: GPL-3.0-or-later
// import.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/share/import_runs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

Json importJson(const run::ImportedSource& source) {
    Json skipped = Json::array();
    for (const auto& each : source.skipped)
        skipped.push_back({{"where", each.where}, {"error", each.message}, {"remedy", each.remedy}});
    Json numbered = Json::array();
    for (const auto& each : source.numbered)
        numbered.push_back({{"series", each.series},
                            {"points", each.points},
                            {"steps", each.steps},
                            {"by", each.byRows ? "rows" : "times"}});
    return {{"run", source.run},
            {"name", source.name},
            {"outcome", toString(source.outcome)},
            {"source", source.path},
            {"series", source.series},
            {"points", source.points},
            {"other_values", source.otherValues},
            {"skipped_records", source.skippedCount},
            {"skipped", skipped},
            {"repeated_points", source.repeated},
            {"numbered", numbered},
            {"error", source.failure.message.empty() ? Json(nullptr) : Json(source.failure.text())}};
}

void printImport(const run::ImportedSource& source) {
    const std::string name = shownName(source.name);
    if (source.outcome == run::ImportedSource::Outcome::Failed) {
        std::fprintf(stderr, "not imported: %s\n", forTerminal(source.failure.text()).c_str());
        return;
    }
    if (source.outcome == run::ImportedSource::Outcome::Unchanged) {
        std::printf("%s is unchanged\n", name.c_str());
        return;
    }
    std::printf("%s %s: %s series, %s points", toString(source.outcome), name.c_str(), grouped(source.series).c_str(),
                grouped(source.points).c_str());
    if (source.otherValues > 0) std::printf("; %s values are not scalars", grouped(source.otherValues).c_str());
    if (source.repeated > 0)
        std::printf("; %s points were written twice: the later ones count", grouped(source.repeated).c_str());
    std::printf("\n");
    constexpr std::size_t kMostNumbered = 3;
    for (std::size_t at = 0; at < std::min(source.numbered.size(), kMostNumbered); ++at)
        std::printf("  %s\n", forTerminal(run::toText(source.numbered[at])).c_str());
    if (source.numbered.size() > kMostNumbered)
        std::printf("  and so are those of %zu more series\n", source.numbered.size() - kMostNumbered);
    for (const auto& each : source.skipped)
        std::fprintf(stderr, "  left out: %s\n",
                     forTerminal(inputError(each.message, each.where, each.remedy).text()).c_str());
    if (const auto more = source.skippedCount - std::ssize(source.skipped); more > 0)
        std::fprintf(stderr, "  skipped: %s more records\n", grouped(more).c_str());
}

Result<int> importAll(const Session& session, const std::vector<std::string>& paths) {
    TY_ASSIGN(const auto workspace, session.workspace());
    Json list = Json::array();
    bool allRead = true;
    const std::vector<std::filesystem::path> all(paths.begin(), paths.end());
    TY_TRY(run::importRuns(workspace, all, [&](const run::ImportedSource& source) {
        allRead = allRead && source.outcome != run::ImportedSource::Outcome::Failed;
        if (session.json) list.push_back(importJson(source));
        else printImport(source);
    }));
    const int code = session.json ? printJson(list) : 0;
    return code == 0 && !allRead ? exitCode(ErrorKind::Input) : code;
}

} // namespace

void addImportCommand(CLI::App& app, Session& session) {
    const auto paths = std::make_shared<std::vector<std::string>>();
    auto* command = app.add_subcommand(
        "import",
        "import runs of TensorBoard, W&B (offline) and MLflow, from CSV or JSON, and bundles of `export --bundle`");
    command
        ->add_option("PATH", *paths,
                     "event files, run-*.wandb, mlruns, mlflow.db, CSV or JSON, bundles, or folders with such "
                     "files at any "
                     "depth")
        ->required();
    addCommonOptions(*command, session);
    command->callback([&session, paths] {
        session.action = [&session, paths] {
            const auto code = importAll(session, *paths);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
