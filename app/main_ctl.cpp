// SPDX-License-Identifier: GPL-3.0-or-later
// trainyardctl: everything the window can do, on a terminal; also the supervisor of runs. Wiring only.
#include "app/ctl/help/divided_line.h"
#include "app/ctl/home.h"
#include "app/ctl/session.h"
#include "engine/base/machine/program.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <string_view>

namespace {

// CLI11 would only say that a subcommand is required.
std::optional<trainyard::Error> unknownCommand(const CLI::App& app, int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "-";
    if (word.starts_with('-')) return std::nullopt;
    std::vector<std::string> known;
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == word) return std::nullopt;
        if (!command->get_group().empty()) known.push_back(command->get_name());
    }
    const auto near = trainyard::nearestWord(word, known);
    return trainyard::inputError("there is no command \"" + trainyard::printable(word, 60) + "\"", {},
                                 near.empty() ? "see trainyardctl --help" : "did you mean " + near + "?");
}

void addCommands(CLI::App& app, trainyard::ctl::Session& session) {
    using namespace trainyard::ctl;
    app.set_version_flag("--version", "trainyardctl " TRAINYARD_VERSION);
    app.require_subcommand(1);
    addRunCommands(app, session);
    addControlCommands(app, session);
    addSweepCommand(app, session);
    addQueueCommands(app, session);
    addListCommands(app, session);
    addCheckpointCommands(app, session);
    addCompareCommand(app, session);
    addLineageCommand(app, session);
    addReportCommand(app, session);
    addRecordCommands(app, session);
    addEditCommands(app, session);
    addExportCommand(app, session);
    addImportCommand(app, session);
    addArgumentsCommand(app, session);
    addPointCommands(app, session);
    addWorkspaceCommand(app, session);
    addCatalogCommands(app, session);
    addLrFindCommand(app, session);
    addModelCommands(app, session);
    addEvaluateCommand(app, session);
    addServeCommand(app, session);
    addDatasetCommands(app, session);
    addDataCommands(app, session);
    addScalingCommands(app, session);
    addHostsCommand(app, session);
    addClusterCommand(app, session);
    addSlurmCommands(app, session);
    addSuperviseCommands(app, session);
    addReceiveCommand(app, session);
    addServeThereCommand(app, session);
    addFeedCommand(app, session);
    addHelpCommands(app, session);
    addHomeCommands(app, session);
    app.footer("Exit codes: 0 done, 1 the run failed, 2 the input is wrong, 3 host, device or disk, 130 stopped.");
}

// Of words that no command takes, the first in their order.
trainyard::Error unexpectedWord(const CLI::App& app, const std::vector<std::string>& words) {
    const auto left = app.remaining(true);
    const auto first = std::find_if(words.begin(), words.end(), [&left](const std::string& word) {
        return std::find(left.begin(), left.end(), word) != left.end();
    });
    const std::string word = first == words.end() ? std::string() : trainyard::printable(*first, 80);
    const bool isOption = word.starts_with('-');
    const bool mayBeProgram = !words.empty() && (words.front() == "run" || words.front() == "sweep");
    return trainyard::inputError(isOption ? "there is no option " + word : "\"" + word + "\" is a word too many", {},
                                 mayBeProgram ? "options of trainyardctl come first, then the file or script, then a "
                                                "script's own words; see trainyardctl " +
                                                    words.front() + " --help"
                                              : "see trainyardctl --help");
}

int parseAndRun(int argc, char** argv) {
    using namespace trainyard::ctl;
    if (argc == 2)
        if (const auto code = answerForSsh(argv[1])) return *code;
    // A run waits for its supervisor, which has no use for the other commands' options.
    if (argc == 3 && argv[1] == std::string_view("supervise") && argv[2][0] != '-') return superviseRun(argv[2]);
    Session session;
    CLI::App app{"Distributed training from the terminal.", "trainyardctl"};
    addCommands(app, session);
    // Its words are those of another command line, which is not whole yet.
    if (argc > 2 && argv[1] == std::string_view("complete")) return printCompletion(app, {argv + 2, argv + argc});
    if (const auto unknown = unknownCommand(app, argc, argv)) return fail(*unknown);
    const auto line = divideLine(app, {argv + 1, argv + argc});
    session.programWords = line.program;
    try {
        app.parse(
            std::vector<std::string>(line.own.rbegin(), line.own.rend())); // the last word first, as CLI11 takes them
    } catch (const CLI::ExtrasError&) {
        return fail(unexpectedWord(app, line.own));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
        const bool mayBeProgram =
            argc > 1 && (argv[1] == std::string_view("run") || argv[1] == std::string_view("sweep"));
        return fail(trainyard::inputError(error.what(), {},
                                          mayBeProgram ? "options of trainyardctl come first, then the file or script, "
                                                         "then a script's own words"
                                                       : "see trainyardctl --help"));
    }
    if (session.json) expectJson();
    if (const auto code = actAtHome(app, session, line.own)) return *code;
    return session.action ? session.action() : 0;
}

} // namespace

int main(int argc, char** argv) {
    trainyard::beginProgram("trainyardctl");
    try {
        return trainyard::endProgram(parseAndRun(argc, argv));
    } catch (const std::bad_alloc&) {
        return trainyard::ctl::fail(trainyard::outOfMemoryError());
    } catch (const std::exception& error) { // nothing else throws this far
        return trainyard::ctl::fail(trainyard::environmentError(error.what()));
    }
}
