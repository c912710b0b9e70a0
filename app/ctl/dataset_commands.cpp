// SPDX-License-Identifier: GPL-3.0-or-later
// datasets, datasets download.
#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/folders.h"
#include "engine/fetch/download.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct DownloadArguments {
    std::string name, folder;
    std::vector<std::string> mirrors;
    double idleSeconds = 30;
};

// One line that is drawn over on a terminal, else one line now and then.
class DownloadLine {
public:
    explicit DownloadLine(bool silent) : m_silent(silent), m_terminal(::isatty(STDERR_FILENO) != 0) {}
    ~DownloadLine() { endLine(); }

    void update(const fetch::DownloadProgress& progress) {
        const double now = monotonicSeconds();
        if (progress.file != m_file) {
            endLine();
            m_file = progress.file;
            m_begun = now;
            m_before = progress.bytes;
        }
        const bool whole = progress.bytes == progress.total;
        if (m_silent || (now - m_drawn < (m_terminal ? 0.1 : 2.0) && !whole)) return;
        m_drawn = now;
        const double bytesPerSecond = static_cast<double>(progress.bytes - m_before) / std::max(1e-3, now - m_begun);
        const double share = 100.0 * static_cast<double>(progress.bytes) /
                             static_cast<double>(std::max<std::int64_t>(1, progress.total));
        std::fprintf(stderr, "%s%s  %3.0f %%  %s of %s  %.1f MB/s%s", m_terminal ? "\r\x1b[K" : "", m_file.c_str(),
                     share, bytesText(progress.bytes).c_str(), bytesText(progress.total).c_str(), bytesPerSecond / 1e6,
                     m_terminal ? "" : "\n");
        m_open = m_terminal;
    }

private:
    void endLine() {
        if (m_open) std::fputc('\n', stderr);
        m_open = false;
    }

    bool m_silent, m_terminal, m_open = false;
    std::string m_file;
    double m_begun = 0, m_drawn = 0;
    std::int64_t m_before = 0;
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
    DownloadLine line(session.json);
    options.progress = [&](const fetch::DownloadProgress& progress) { line.update(progress); };
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
    auto* datasets =
        app.add_subcommand("datasets", "the datasets a run file can name; download fetches published ones");
    datasets->require_subcommand(0, 1);
    addCommonOptions(*datasets, session);
    datasets->callback([&session, datasets] {
        if (!datasets->get_subcommands().empty()) return;
        session.action = [&session] { return printCatalogEntries(session, "datasets", &spec::Catalog::datasets); };
    });
    const auto arguments = std::make_shared<DownloadArguments>();
    auto* download = datasets->add_subcommand(
        "download", "fetch a published dataset, checked by its SHA-256; resumes where it was cut off");
    download->add_option("NAME", arguments->name, "fashion-mnist, mnist, cifar10 or cifar100")->required();
    download->add_option("--to", arguments->folder, "folder (default: where run files find it by its name alone)")
        ->type_name("FOLDER");
    download
        ->add_option("--mirror", arguments->mirrors,
                     "address of a folder with the published files, instead of the known ones")
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
