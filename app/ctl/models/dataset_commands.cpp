// SPDX-License-Identifier: GPL-3.0-or-later
// datasets, datasets download.
#include "app/ctl/models/transfer_line.h"
#include "app/ctl/session.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/fetch/download.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct DownloadArguments {
    std::string name, folder;
    std::vector<std::string> mirrors;
    double idleSeconds = 30;
};

Result<int> downloadOne(const Session& session, const DownloadArguments& arguments) {
    TY_ASSIGN(const fetch::Source* source, fetch::findSource(arguments.name));
    const std::filesystem::path home = datasetHome();
    if (arguments.folder.empty() && home.empty())
        return environmentError("neither XDG_DATA_HOME nor HOME is set", {}, "name a folder with --to");
    fetch::DownloadOptions options;
    options.folder = arguments.folder.empty() ? home / source->name : std::filesystem::absolute(arguments.folder);
    options.mirrors = arguments.mirrors;
    options.idleSeconds = arguments.idleSeconds;
    TransferLine line(session.json ? TransferLine::Style::Json : TransferLine::Style::Text);
    options.progress = [&](const fetch::DownloadProgress& progress) {
        line.update(progress.file, progress.bytes, progress.total);
    };
    TY_ASSIGN(const fetch::DownloadReport report, fetch::download(*source, options));
    if (session.json)
        return printJson({{"name", source->name},
                          {"folder", options.folder.string()},
                          {"fetched", report.fetched},
                          {"present", report.present},
                          {"bytes", report.bytes}});
    const char* done = report.fetched.empty() ? "was there already" : "is there";
    std::printf("%s %s: %s\n", source->title.c_str(), done, options.folder.c_str());
    if (!arguments.folder.empty())
        std::printf("in a run file: \"dataset\": {\"name\": \"%s\", \"params\": {\"folder\": \"%s\"}}\n",
                    source->name.c_str(), options.folder.c_str());
    return 0;
}

} // namespace

void addDatasetCommands(CLI::App& app, Session& session) {
    auto* datasets = app.add_subcommand("datasets", "the datasets a run file can name; download published ones");
    datasets->require_subcommand(0, 1);
    addCommonOptions(*datasets, session);
    datasets->callback([&session, datasets] {
        if (!datasets->get_subcommands().empty()) return;
        session.action = [&session] { return printCatalogEntries(session, "datasets", &spec::Catalog::datasets); };
    });
    const auto arguments = std::make_shared<DownloadArguments>();
    auto* download = datasets->add_subcommand(
        "download", "download a published dataset and check its SHA-256; resumes an interrupted download");
    download->add_option("NAME", arguments->name, "fashion-mnist, mnist, cifar10 or cifar100")->required();
    download->add_option("--to", arguments->folder, "folder (default: where run files find it by its name alone)")
        ->type_name("FOLDER");
    download
        ->add_option("--mirror", arguments->mirrors,
                     "URL of a folder with the published files, instead of the built-in mirrors")
        ->allow_extra_args(false);
    download
        ->add_option("--idle", arguments->idleSeconds,
                     "seconds without a byte before giving up on a server (default 30)")
        ->check(CLI::Range(1.0, 3600.0));
    addCommonOptions(*download, session);
    download->callback([&session, arguments] {
        session.action = [&session, arguments] {
            const auto code = downloadOne(session, *arguments);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
