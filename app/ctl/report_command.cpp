// SPDX-License-Identifier: GPL-3.0-or-later
// report.
#include "app/ctl/session.h"
#include "engine/base/atomic_file.h"
#include "engine/report/report_html.h"
#include "engine/report/run_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
    std::vector<std::string> runs;
    std::string out;
    bool force = false;
};

Result<std::int64_t> writeReport(const Session& session, const ReportOptions& options) {
    std::error_code ignored;
    if (fs::is_directory(options.out, ignored))
        return inputError("is a folder", "--out " + options.out, "name a file in it");
    if (!options.force && fs::exists(options.out, ignored))
        return inputError("exists already", "--out " + options.out, "choose another name, or add --force");
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    std::vector<store::RunRow> rows;
    for (const std::string& name : options.runs) {
        TY_ASSIGN(auto row, open.query->run(name));
        rows.push_back(std::move(row));
    }
    TY_ASSIGN(const auto report,
              rows.size() == 1 ? report::reportOf(*open.query, rows.front()) : report::reportOf(*open.query, rows));
    const std::string html = report::toHtml(report);
    TY_TRY(writeFileAtomic(options.out, html));
    return std::ssize(html);
}

} // namespace

void addReportCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ReportOptions>();
    auto* command =
        app.add_subcommand("report", "write a report of a run, or of several side by side, as one HTML file");
    command->add_option("RUN", options->runs, "ids, beginnings of ids, or names; of several the first is the baseline")
        ->required()
        ->expected(1, 100);
    command->add_option("--out", options->out, "file to write, FILE.html")->required();
    command->add_flag("--force", options->force, "replace the file");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto bytes = writeReport(session, *options);
            if (!bytes) return fail(bytes.error());
            std::error_code ignored;
            if (session.json)
                return printJson({{"path", fs::absolute(options->out, ignored).string()}, {"bytes", *bytes}});
            return std::printf("%s (%s)\n", options->out.c_str(), bytesText(*bytes).c_str()) > 0 ? 0 : 3;
        };
    });
}

} // namespace trainyard::ctl
