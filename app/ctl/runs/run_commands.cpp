// SPDX-License-Identifier: GPL-3.0-or-later
// run, attach, resume, continue, stop, kill.
#include "app/ctl/home.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/launchers.h"
#include "app/ctl/program/pattern_test_command.h"
#include "app/ctl/program/program_words.h"
#include "app/ctl/run_file.h"
#include "app/ctl/runs/follow.h"
#include "app/ctl/runs/resume_or_start.h"
#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/quoted.h"
#include "engine/queue/placement.h"
#include "engine/run/actions/stop_cost.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/slurm/slurm_array.h"
#include "engine/run/start/quick_head.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/resume_settings.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/sweep_control.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

namespace trainyard::ctl {
namespace {

constexpr double kTaskSeconds = 1; // between two looks at a task of Slurm

struct RunOptions {
    std::string file, run, from, epochs, cluster, testedLog;
    std::vector<std::string> overrides, freeze;
    std::string weights{};
    ProgramLine program{}; // its words: instead of a file
    bool quickHead = false;
    bool detach = false, now = false, atCheckpoint = false, queue = false, stopOnInterrupt = false;
    ResumeOrStart resumeOrStart;
};

} // namespace

int afterStart(const Session& session, const store::Workspace& workspace, const std::string& run, bool detach) {
    if (!detach) return followRun(session, workspace, run);
    if (!session.json) return std::printf("%s\n", run.c_str()) > 0 ? 0 : 3;
    auto query = store::RunQuery::open(workspace);
    if (!query) return fail(query.error());
    const auto row = (*query)->run(run);
    if (!row) return fail(row.error());
    const auto printed = printResult(session, **query, *row);
    return printed ? 0 : fail(printed.error());
}

namespace {

int runAtHome(const Session& session, const RunOptions& options, const std::string& text) {
    HomeStart start{text, options.file, options.detach, {}, {}};
    if (!options.from.empty()) {
        const auto checkpoint = findCheckpoint(session, options.from);
        if (!checkpoint) return fail(checkpoint.error());
        const auto source = runOf(session, options.from);
        if (!source) return fail(source.error());
        start.resumeFrom = checkpoint->path;
        start.forkedFrom = source->id;
    }
    return startAtHome(session, start);
}

int startKeyed(const Session& session, spec::RunSpec spec, const RunOptions& options) {
    ResumeOrStart start = options.resumeOrStart;
    start.detach = options.detach;
    start.from = options.from;
    return resumeOrStart(session, std::move(spec), start);
}

// --weights and --freeze as settings of the run file.
std::vector<std::string> fineTuning(const RunOptions& options) {
    std::vector<std::string> settings;
    std::error_code ignored;
    if (!options.weights.empty())
        settings.push_back("model.weights.file=" +
                           jsonText(Json(std::filesystem::absolute(options.weights, ignored).string())));
    if (!options.freeze.empty()) settings.push_back("finetune.freeze=" + jsonText(Json(options.freeze)));
    return settings;
}

Result<std::string> headOf(const std::string& text, const std::string& file) {
    if (spec::isSweepFile(text))
        return inputError("is of one run, and this is a sweep file", "--quick-head", "give it a run file");
    TY_ASSIGN(const auto whole, spec::parseRunSpec(text, file));
    if (whole.weights.file.empty())
        return inputError("needs weights that the body begins with", "--quick-head", "name their file: --weights FILE");
    return spec::toJson(run::quickHead(whole));
}

// What the user sets outright holds.
Result<std::string> textOf(const RunOptions& options) {
    std::vector<std::string> overrides;
    if (!options.cluster.empty()) { TY_ASSIGN(overrides, overridesOfCluster(options.cluster)); }
    ProgramLine line = options.program;
    line.overrides = options.overrides;
    const auto settings = line.settings();
    overrides.insert(overrides.end(), settings.begin(), settings.end());
    const auto tuned = fineTuning(options); // last: `--set model=NAME` sets the whole of it
    overrides.insert(overrides.end(), tuned.begin(), tuned.end());
    if (!line.words.empty()) {
        TY_ASSIGN(const auto text, runFileOf(line));
        return spec::withOverrides(text, overrides);
    }
    // Patterns can be tried without a program.
    if (options.file.empty())
        return spec::withOverrides(R"({"version": 1, "program": {"command": ["true"]}})", overrides);
    TY_ASSIGN(auto text, spec::readWithOverrides(options.file, overrides));
    return options.quickHead ? headOf(text, options.file) : text;
}

int runFile(const Session& session, const RunOptions& options) {
    const auto text = textOf(options);
    if (!text) return fail(text.error());
    if (!options.testedLog.empty()) return testPatternsOn(session, options.testedLog, *text);
    if (spec::isSweepFile(*text) && options.resumeOrStart.asked)
        return fail(inputError("is a sweep file, and only a run can be resumed or started", options.file,
                               "resume a sweep with: trainyardctl resume SWEEP"));
    if (spec::isSweepFile(*text) && !options.from.empty())
        return fail(inputError("is a sweep file, and its trials begin from scratch", options.file, "leave --from out"));
    if (spec::isSweepFile(*text)) return startSweepText(session, *text, options.file, {options.detach, options.queue});
    if (!session.on.empty()) return runAtHome(session, options, *text);
    auto spec = spec::parseRunSpec(*text, options.file);
    if (!spec) return fail(spec.error());
    if (options.resumeOrStart.asked) return startKeyed(session, std::move(*spec), options);
    if (const auto expanded = expandHostsOf(*spec); !expanded) return fail(expanded.error());
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    if (const auto signedIn = signInToHostsOf(*spec); !signedIn) return fail(signedIn.error());
    run::StartOptions start;
    if (!options.from.empty()) {
        const auto checkpoint = findCheckpoint(session, options.from);
        if (!checkpoint) return fail(checkpoint.error());
        start.resumeFrom = checkpoint->path;
        const auto source = runOf(session, options.from);
        if (!source) return fail(source.error());
        start.forkedFrom = source->id;
    }
    if (options.queue) {
        const auto added = queue::enqueue(*workspace, std::move(*spec), {start.resumeFrom, start.forkedFrom});
        return added ? tellQueued(session, *workspace, added) : failIn(options.file, added.error());
    }
    const auto run = run::startRun(*workspace, queue::placedNow(*workspace, std::move(*spec)), start);
    return run ? afterStart(session, *workspace, *run, options.detach) : failIn(options.file, run.error());
}

// What `resume --set ...` changes; the hosts are checked and signed in to as for a new run.
Result<run::ResumeChanges> changesOf(const store::RunRow& row, const std::vector<std::string>& settings,
                                     std::int64_t moreEpochs) {
    if (settings.empty()) {
        TY_ASSIGN(auto hosts, hostsHere(row));
        return run::ResumeChanges{moreEpochs, std::move(hosts), {}};
    }
    const auto file = run::RunFolder{row.folder}.runFile().string();
    TY_ASSIGN(const auto before, spec::readRunSpec(file));
    TY_TRY(spec::mayResumeWith(before, settings, row.name));
    TY_ASSIGN(const auto text, spec::withOverrides(spec::toJson(before), settings));
    TY_ASSIGN(auto spec, spec::parseRunSpec(text, file));
    TY_TRY(expandHostsOf(spec));
    TY_TRY(signInToHostsOf(spec));
    return run::ResumeChanges{moreEpochs, std::move(spec.hosts), settings};
}

int resume(const Session& session, const RunOptions& options, std::int64_t moreEpochs) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = runAt(*open->query, options.run);
    if (!row) {
        const auto sweep = open->query->sweep(options.run);
        if (!sweep || moreEpochs > 0) return fail(row.error());
        if (!options.overrides.empty())
            return fail(inputError("a sweep is resumed with the settings that it had", "--set",
                                   "start another with: trainyardctl sweep"));
        const auto resumed = sweep::resumeSweep(open->workspace, sweep->id);
        if (!resumed) return fail(resumed.error());
        if (!options.detach) return followSweep(session, open->workspace, sweep->id);
        const auto now = session.json ? open->query->sweep(sweep->id) : sweep;
        if (!now) return fail(now.error());
        return session.json ? showSweep(session, *open->query, *now) : 0;
    }
    auto changes = changesOf(*row, options.overrides, moreEpochs);
    if (!changes) return fail(changes.error());
    if (!open->query->run(options.run)) { // RUN@STEP
        const auto from = open->query->checkpoint(options.run);
        if (!from) return fail(from.error());
        changes->fromCheckpoint = from->id;
    }
    const auto resumed = run::resumeRun(open->workspace, row->id, *changes);
    return resumed ? afterStart(session, open->workspace, row->id, options.detach) : fail(resumed.error());
}

int continueRun(const Session& session, const RunOptions& options) {
    std::size_t used = 0;
    std::int64_t epochs = 0;
    const std::string digits = options.epochs.starts_with('+') ? options.epochs.substr(1) : options.epochs;
    try {
        epochs = std::stoll(digits, &used);
    } catch (const std::exception&) { used = 0; }
    if (used != digits.size() || digits.empty() || epochs < 1 || epochs > 1'000'000)
        return fail(inputError("\"" + options.epochs + "\" is not a number of epochs from 1 to 1000000", "EPOCHS",
                               "for example: trainyardctl continue " + shellArgument(options.run) + " 5"));
    return resume(session, options, epochs);
}

int attach(const Session& session, const RunOptions& options) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto onInterrupt = options.stopOnInterrupt ? OnInterrupt::Stop : OnInterrupt::Leave;
    const auto row = open->query->run(options.run);
    if (row) return followRun(session, open->workspace, row->id, onInterrupt);
    const auto sweep = open->query->sweep(options.run);
    return sweep ? followSweep(session, open->workspace, sweep->id, onInterrupt) : fail(row.error());
}

wire::StopMode stopModeOf(const RunOptions& options) {
    if (options.now) return wire::StopMode::StopNow;
    return options.atCheckpoint ? wire::StopMode::AtCheckpoint : wire::StopMode::SaveAndStop;
}

// Ctrl+C while a checkpoint is waited for asks for more each time.
class Impatience {
public:
    Impatience() { countInterrupts(); }
    Result<void> look(const store::Workspace& workspace, const std::string& run) {
        if (interrupts() == m_seen) return {};
        m_seen = interrupts();
        const auto mode = m_seen == 1   ? wire::StopMode::SaveAndStop
                          : m_seen == 2 ? wire::StopMode::StopNow
                                        : wire::StopMode::Kill;
        std::fprintf(stderr, "trainyardctl: stopping without the checkpoint: %s\n", wire::toString(mode));
        return run::stopRun(workspace, run, mode);
    }

private:
    int m_seen = 0;
};

// What a stop costs, or what it waits for.
void sayBeforeStop(store::RunQuery& query, const store::RunRow& row, wire::StopMode mode) {
    if (mode == wire::StopMode::AtCheckpoint)
        std::fprintf(stderr, "trainyardctl: %s stops at its next checkpoint (Ctrl+C: stop it without)\n",
                     shownName(row.name).c_str());
    else if (const auto cost = mode == wire::StopMode::SaveAndStop ? run::stopCostLine(query, row) : ""; !cost.empty())
        std::fprintf(stderr, "trainyardctl: %s\n", cost.c_str());
}

// Waits for the end, so that what this returns from is stopped.
int stop(const Session& session, const RunOptions& options, wire::StopMode mode) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = runAt(*open->query, options.run);
    if (!row) {
        const auto sweep = open->query->sweep(options.run);
        if (!sweep) return fail(row.error());
        if (mode == wire::StopMode::AtCheckpoint)
            return fail(inputError("is a sweep, whose trials save by themselves or not at all", "--at-checkpoint",
                                   "stop one trial at its checkpoint, or the sweep without it"));
        const auto stopped = sweep::stopSweep(open->workspace, sweep->id, mode);
        return stopped ? awaitSweep(session, open->workspace, sweep->id) : fail(stopped.error());
    }
    const auto follower = run::RunFollower::open(open->workspace, row->id);
    if (!follower) return fail(follower.error());
    (void)(*follower)->poll(0); // attached before the end, to hear what it says of the processes
    sayBeforeStop(*open->query, *row, mode);
    std::optional<Impatience> impatience;
    if (mode == wire::StopMode::AtCheckpoint) impatience.emplace();
    const auto asked = run::stopRun(open->workspace, row->id, mode);
    if (!asked) return fail(asked.error());
    wire::RunState state;
    double nextLook = run::isInTask(open->workspace, *row) ? 0 : std::numeric_limits<double>::infinity();
    for (bool ended = false; !ended;) {
        if (monotonicSeconds() >= nextLook) { // else nobody would bring its end here
            (void)sweepNow(*open, row->sweep);
            nextLook = monotonicSeconds() + kTaskSeconds;
        }
        if (impatience)
            if (const auto more = impatience->look(open->workspace, row->id); !more) return fail(more.error());
        const auto update = (*follower)->poll(200);
        if (!update) return fail(update.error());
        if (update->state) state = *update->state;
        ended = update->ended;
    }
    const auto ended = open->query->run(row->id);
    if (!ended) return fail(ended.error());
    if (session.json) {
        const auto printed = printResult(session, *open->query, *ended);
        return printed ? 0 : fail(printed.error());
    }
    std::printf("%s is %s at step %s", shownName(ended->name).c_str(), wire::toString(ended->status),
                grouped(ended->step).c_str());
    if (!state.unseenOn.empty())
        std::printf("; %s; ranks there save and end after failure.linkSeconds, or when the run is resumed",
                    state.leftText().c_str());
    else if (state.processesLeft >= 0)
        std::printf("; %d of its processes %s left", state.processesLeft, state.processesLeft == 1 ? "is" : "are");
    std::printf("\n");
    return 0;
}

// Of `run`. Returns that of the queue.
CLI::Option* addRunOptions(CLI::App& run, RunOptions& options) {
    run.add_option("FILE", options.file,
                   "run file (JSON), or a script or command with its own words: train.py --lr 0.1, -m pkg.train, "
                   "-- torchrun --nproc_per_node 4 train.py");
    addProgramOptions(run, options.program);
    run.add_option("--set", options.overrides,
                   "path=value: replaces one field of the file, for example "
                   "optimizer.lr=0.05; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    run.add_option("--weights", options.weights,
                   "begin with the weights of this file (.pth, .pt, .safetensors): model.weights.file")
        ->type_name("FILE");
    run.add_option("--freeze", options.freeze,
                   "leave these parameters as they are: \"body\", or globs such as 'layer1.*'; may be repeated: "
                   "finetune.freeze")
        ->type_name("GLOB")
        ->take_all();
    run.add_flag("--quick-head", options.quickHead,
                 "train the last layer alone for " + std::to_string(run::kEpochsOfHead) +
                     " epochs, on what the frozen body puts out, computed once; then: fork RUN --whole");
    run.add_option("--from", options.from, "RUN[@CHECKPOINT]: begin from that checkpoint instead of from scratch")
        ->type_name("CHECKPOINT");
    run.add_option("--cluster", options.cluster, "train on the least busy hosts of this cluster (see: cluster up)")
        ->type_name("NAME");
    run.add_option("--test-patterns", options.testedLog,
                   "start nothing: show what such printed lines would give, with the patterns of FILE or of --set "
                   "program.metrics.patterns")
        ->type_name("LOG");
    run.add_flag("--detach", options.detach, "print the run's id and return at once");
    run.add_flag("--resume-or-start", options.resumeOrStart.asked,
                 "continue the run of this key if there is one, or do nothing if it has finished: for jobs that a "
                 "cluster may restart");
    run.add_option("--key", options.resumeOrStart.key, "key of that run (default: the id of the surrounding Slurm job)")
        ->type_name("NAME");
    // Of slurm submit: the checkpoint of a run of another workspace.
    run.add_option("--begin-with", options.resumeOrStart.beginsWith)->group("");
    run.add_option("--forked-from", options.resumeOrStart.forkedFrom)->group("");
    return run.add_flag("--queue", options.queue, "add it to the queue: it starts when there is room (see: queue)");
}

} // namespace

int submitToCluster(const Session& session, const std::string& cluster, const std::string& file,
                    const std::vector<std::string>& overrides) {
    RunOptions options;
    options.file = file;
    options.cluster = cluster;
    options.overrides = overrides;
    options.queue = true;
    return runFile(session, options);
}

void addRunCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<RunOptions>();
    auto* run = app.add_subcommand("run", "start a run from a run file, or of any program, and follow it");
    auto* queue = addRunOptions(*run, *options);
    addCommonOptions(*run, session);
    addHomeOption(*run, session)->excludes(queue);
    run->callback([&session, options] {
        options->program.words = session.programWords;
        if (!session.programWords.empty()) options->file = session.programWords.front();
        else if (options->file.empty() && options->testedLog.empty()) throw CLI::RequiredError("FILE");
        session.action = [&session, options] { return runFile(session, *options); };
    });

    auto* attachCommand =
        app.add_subcommand("attach", "follow a run or sweep that is already active; Ctrl+C only stops following");
    attachCommand->add_option("RUN", options->run, "id, beginning of an id, or name of a run or sweep")->required();
    attachCommand->add_flag("--stop-on-interrupt", options->stopOnInterrupt, "Ctrl+C does what it does in run")
        ->group(""); // what `run --on` follows with
    addCommonOptions(*attachCommand, session);
    attachCommand->callback(
        [&session, options] { session.action = [&session, options] { return attach(session, *options); }; });

    auto* resumeCommand = app.add_subcommand("resume", "resume a run or sweep that was stopped or interrupted");
    auto* continueCommand = app.add_subcommand("continue", "train a run for some more epochs");
    for (auto* command : {resumeCommand, continueCommand}) {
        command
            ->add_option("RUN", options->run,
                         command == resumeCommand
                             ? "id, beginning of an id, or name; of a program also RUN@STEP: from that checkpoint"
                             : "id, beginning of an id, or name")
            ->required();
        command->add_flag("--detach", options->detach, "return at once");
        command
            ->add_option("--set", options->overrides,
                         "path=value: change a setting that does not affect what is trained, for example "
                         "hosts='[\"h1\", \"h2\"]' or failure.maxRestarts=10; may be repeated")
            ->type_name("PATH=VALUE")
            ->take_all();
        addCommonOptions(*command, session);
    }
    continueCommand->add_option("EPOCHS", options->epochs, "how many epochs to add")->required();
    resumeCommand->callback(
        [&session, options] { session.action = [&session, options] { return resume(session, *options, 0); }; });
    continueCommand->callback(
        [&session, options] { session.action = [&session, options] { return continueRun(session, *options); }; });

    auto* stopCommand = app.add_subcommand("stop", "save a checkpoint and stop");
    auto* killCommand = app.add_subcommand("kill", "kill the processes at once, without saving");
    for (auto* command : {stopCommand, killCommand}) {
        command->add_option("RUN", options->run, "id, beginning of an id, or name of a run or sweep")->required();
        addCommonOptions(*command, session);
    }
    auto* now = stopCommand->add_flag("--now", options->now, "without saving");
    stopCommand
        ->add_flag("--at-checkpoint", options->atCheckpoint,
                   "of a program: let it go on until it has saved its next checkpoint; it loses the second in which "
                   "that is found")
        ->excludes(now);
    stopCommand->callback([&session, options] {
        session.action = [&session, options] { return stop(session, *options, stopModeOf(*options)); };
    });
    killCommand->callback([&session, options] {
        session.action = [&session, options] { return stop(session, *options, wire::StopMode::Kill); };
    });
}

} // namespace trainyard::ctl
