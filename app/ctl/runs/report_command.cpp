// SPDX-License-Identifier: GPL-3.0-or-later
// report.
#include "app/ctl/session.h"
#include "engine/report/write_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct ReportOptions {
    std::vector<std::string> runs;
    std::string out;
    bool force = false;
};

Result<std::int64_t> reportRuns(const Session& session, const ReportOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    return report::writeReport(*open.query, options.runs, options.out, options.force);
}

} // namespace

void addReportCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ReportOptions>();
    auto* command = app.add_subcommand(
        "report", "write a report of a run, of several runs side by side, or of a sweep, as one HTML file");
    command
        ->add_option("RUN", options->runs,
                     "runs (the first is the baseline) or one sweep: ids, beginnings of ids, or names")
        ->required()
        ->expected(1, 100);
    command->add_option("--out", options->out, "file to write, such as report.html")->type_name("FILE")->required();
    command->add_flag("--force", options->force, "replace the file");
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto bytes = reportRuns(session, *options);
            if (!bytes) return fail(bytes.error());
            std::error_code ignored;
            const auto path = std::filesystem::absolute(options->out, ignored).string();
            if (session.json) return printJson({{"path", path}, {"bytes", *bytes}});
            return std::printf("%s (%s)\n", options->out.c_str(), bytesText(*bytes).c_str()) > 0 ? 0 : 3;
        };
    });
}

} // namespace trainyard::ctl
