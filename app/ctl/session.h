// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of trainyardctl share.
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/store/run_query.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace trainyard::ctl {

struct Session {
    std::string workspaceFolder;             // --workspace
    bool json = false;                       // --json
    std::string on;                          // --on: the host to act on; empty: this computer
    std::function<int()> action;             // of the command that was given
    std::vector<std::string> programWords{}; // of `run` and `sweep`: those of a program, which are parsed elsewhere

    Result<store::Workspace> workspace() const;
};

// A workspace with its runs; those whose supervisor died are marked first, so that no dead run reads as running.
struct OpenWorkspace {
    store::Workspace workspace;
    std::unique_ptr<store::RunQuery> query;
    static Result<OpenWorkspace> open(const Session& session);
};

// Foreign text (names of runs, output of a worker) made safe for a terminal: line ends stay, and everything else that
// a terminal would interpret is escaped.
std::string forTerminal(std::string_view text);
std::string shownName(const std::string& name); // of a run or sweep, in the same way and on one line
// "trainyardctl: where: message (remedy)" on stderr; returns the exit code of the error's kind. With --json the error
// is the one JSON value on stdout as well, unless the command has printed another.
int fail(const Error& error);
// The same, of what was given in `file`: a field that is wrong is named with the file that it stands in.
int failIn(const std::string& file, Error error);
// The command that was given has --json.
void expectJson();
// What a program on another host has printed, as it is, on stdout.
void printPassed(std::string_view bytes);
// One JSON value on stdout.
int printJson(const Json& json);
// One list of the worker's catalog ("models"), as a table or as JSON; returns the exit code.
int printCatalogEntries(const Session& session, const char* key, std::vector<spec::Entry> spec::Catalog::* list);
// The exit code of a run that ended with this status.
int exitCodeOf(wire::RunStatus status, ErrorKind errorKind);

// "2026-11-20 10:45", local time.
std::string shortTime(std::int64_t wallMs);
inline std::string duration(double seconds) { return durationText(seconds); }
// "accuracy 0.8349, samples 10,000": the metrics of an evaluation.
std::string metricText(const std::map<std::string, double>& metrics);
// Cells in columns, made fit for a terminal; the first row is the header.
void printTable(const std::vector<std::vector<std::string>>& rows);

// --workspace and --json, which every command has.
void addCommonOptions(CLI::App& command, Session& session, bool withJson = true);

// A command that another program of Trainyard starts, and the help does not show. It reads stdin and tells on stdout;
// `act` returns its exit code.
void addHiddenCommand(CLI::App& app, Session& session, const char* name, const char* help,
                      Result<int> (*act)(const Session& session));

void addRunCommands(CLI::App& app, Session& session);         // run, attach, resume, continue, stop, kill
void addControlCommands(CLI::App& app, Session& session);     // pause, checkpoint, set-lr, rehearse, fork, …
void addSweepCommand(CLI::App& app, Session& session);        // sweep
void addQueueCommands(CLI::App& app, Session& session);       // queue
void addListCommands(CLI::App& app, Session& session);        // runs, show
void addCheckpointCommands(CLI::App& app, Session& session);  // checkpoints and below it pin, unpin, prune
void addDiffCommand(CLI::App& checkpoints, Session& session); // diff
void addEditCommands(CLI::App& app, Session& session);        // archive, restore, delete, tag, notes
void addLineageCommand(CLI::App& app, Session& session);      // lineage
void addCompareCommand(CLI::App& app, Session& session);      // compare
void addReportCommand(CLI::App& app, Session& session);       // report
void addRecordCommands(CLI::App& app, Session& session);      // metrics, logs
void addExportCommand(CLI::App& app, Session& session);       // export
void addImportCommand(CLI::App& app, Session& session);       // import
void addArgumentsCommand(CLI::App& app, Session& session);    // arguments
void addPointCommands(CLI::App& app, Session& session);       // metric, log
void addWorkspaceCommand(CLI::App& app, Session& session);    // workspace repair
void addLrFindCommand(CLI::App& app, Session& session);       // lr-find
void addModelCommands(CLI::App& app, Session& session);       // models, inspect, predict
void addEvaluateCommand(CLI::App& app, Session& session);     // evaluate
void addServeCommand(CLI::App& app, Session& session);        // serve, services
void addCatalogCommands(CLI::App& app, Session& session);     // validate
void addDatasetCommands(CLI::App& app, Session& session);     // datasets, datasets download
void addDataCommands(CLI::App& app, Session& session);        // data inspect, data check
void addScalingCommands(CLI::App& app, Session& session);     // scaling, estimate
// Where the system's ssh has started this program to ask something: brings the question to whoever can answer it. The
// exit code; nothing in every other case.
std::optional<int> answerForSsh(const char* question);
void addHostsCommand(CLI::App& app, Session& session);   // hosts add|list|test|remove
void addClusterCommand(CLI::App& app, Session& session); // cluster up|status|exec|…|down
void addSlurmCommands(CLI::App& app, Session& session);  // slurm submit|status|cancel
void addSuperviseCommands(CLI::App& app, Session& session);
void addReceiveCommand(CLI::App& app, Session& session);    // receive
void addFeedCommand(CLI::App& app, Session& session);       // feed
void addServeThereCommand(CLI::App& app, Session& session); // serve-there
void addHelpCommands(CLI::App& app, Session& session);      // completion
// Below `checkpoints`: inspect.
void addCheckpointInspectCommand(CLI::App& checkpoints, Session& session);
// Below `sweep`: importance; pareto; show, trials, events; simulate; what is asked of a sweep.
void addImportanceCommand(CLI::App& sweep, Session& session);
void addParetoCommand(CLI::App& sweep, Session& session);
void addShowCommands(CLI::App& sweep, Session& session);
void addSimulateCommand(CLI::App& sweep, Session& session);
void addSteerCommands(CLI::App& sweep, Session& session);
// Says what the sweep of this file would train, and starts nothing: `sweep FILE --dry-run`. What is known of its
// trials beforehand is judged (sweep::validated). Returns the exit code.
int dryRunSweep(const Session& session, const std::string& text, const std::string& file);
int superviseRun(const std::string& folder); // what `supervise FOLDER` does
// What `complete WORD...` does: answers a shell that completes the last word. Returns the exit code.
int printCompletion(const CLI::App& app, const std::vector<std::string>& words);

} // namespace trainyard::ctl
