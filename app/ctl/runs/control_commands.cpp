// SPDX-License-Identifier: GPL-3.0-or-later
// pause, unpause, stacks, checkpoint, set-lr, set-workers, rehearse: while a run trains. fork: a new run from a
// checkpoint of another.
#include "app/ctl/interrupt.h"
#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/queue/placement.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/program/facts/program_record.h"
#include "engine/run/record/run_code.h"
#include "engine/run/share/import_runs.h"
#include "engine/run/start/fork.h"
#include "engine/run/start/quick_head.h"
#include "engine/run/start/rehearse_loss.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/overrides.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace trainyard::ctl {
namespace {

struct ControlOptions {
    std::string run;
    double value = 0; // the learning rate or the number of workers
    std::vector<std::string> overrides;
    bool detach = false, fresh = false, whole = false, exactly = false;
    int rank = -1;
    double seconds = 60;
};

constexpr const char* kPauseOfProgram =
    "its processes are stopped; continue before the timeout of its collectives is over (PyTorch: 10 min with NCCL, 30 "
    "min with Gloo), or it may fail when it goes on";

bool isProgram(const store::RunRow& row) {
    const auto spec = spec::parseRunSpec(row.specJson);
    return spec && spec->program;
}

int say(const Session& session, const store::RunRow& row, const wire::CommandDone& done) {
    if (session.json) {
        Json json{{"run", row.id}, {"command", wire::toString(done.kind)}, {"step", done.step}};
        if (done.kind == wire::CommandKind::SetLearningRate) json["lr"] = done.value;
        if (done.kind == wire::CommandKind::Resize) json["workers"] = static_cast<int>(done.value);
        return printJson(json);
    }
    const auto step = grouped(done.step);
    const std::string shown = shownName(row.name);
    const char* name = shown.c_str();
    switch (done.kind) {
    case wire::CommandKind::Pause:
        std::printf("%s is paused after step %s\n", name, step.c_str());
        if (isProgram(row)) std::printf("%s\n", kPauseOfProgram);
        break;
    case wire::CommandKind::Unpause: std::printf("%s resumes after step %s\n", name, step.c_str()); break;
    case wire::CommandKind::Checkpoint: std::printf("%s has saved step %s\n", name, step.c_str()); break;
    case wire::CommandKind::SetLearningRate:
        std::printf("%s trains with a learning rate of %.6g after step %s\n", name, done.value, step.c_str());
        break;
    case wire::CommandKind::Stacks:
        std::printf("the stacks of the ranks of %s are in its logs: trainyardctl logs %s\n", name, row.id.c_str());
        break;
    case wire::CommandKind::Resize:
        std::printf("%s trains with %.0f workers after step %s\n", name, done.value, step.c_str());
        break;
    }
    return 0;
}

int command(const Session& session, const ControlOptions& options, wire::CommandKind kind) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->run(options.run);
    if (!row) return fail(row.error());
    const auto done = run::commandRun(open->workspace, row->id, kind, options.value);
    return done ? say(session, *row, *done) : fail(done.error());
}

int rehearse(const Session& session, const ControlOptions& options) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->run(options.run);
    if (!row) return fail(row.error());
    countInterrupts();
    const auto done = run::rehearseLoss(
        open->workspace, row->id, options.rank, options.seconds, [] { return interrupts() > 0; }, endOnHost);
    if (!done) return fail(done.error());
    if (session.json)
        return printJson({{"run", row->id},
                          {"rank", done->rank},
                          {"host", done->host},
                          {"step", done->step},
                          {"seconds_to_notice", done->secondsToNotice},
                          {"seconds_to_regroup", done->secondsToRegroup},
                          {"seconds_to_next_step", done->secondsToNextStep},
                          {"steps_lost", done->stepsLost}});
    std::printf("%s: %s\n", shownName(row->name).c_str(), done->text().c_str());
    return 0;
}

// A fork's settings, with what --set says. `from`: nothing for fresh weights.
Result<spec::RunSpec> forkedSpec(const store::RunRow& source, const std::optional<store::CheckpointRow>& from,
                                 bool whole, const std::vector<std::string>& overrides) {
    TY_ASSIGN(auto spec, from ? run::forkedSpec(source, *from) : run::freshSpec(source));
    if (whole && !from) return inputError("goes on from a checkpoint of a head", "--whole", "leave --fresh out");
    if (whole) spec = run::trainedOn(std::move(spec), from->epoch);
    TY_ASSIGN(const auto text, spec::withOverrides(spec::toJson(spec), overrides));
    return spec::parseRunSpec(text, "run " + source.name + " with --set");
}

// The code that the source has run, with a note of what else is different now.
Result<void> startExactly(const OpenWorkspace& open, const store::RunRow& source, const spec::RunSpec& spec,
                          run::StartOptions& start) {
    const run::RunFolder folder{source.folder};
    TY_ASSIGN(const auto launch, run::readLaunchRecord(folder));
    if (!spec.program || !launch.code)
        return inputError(spec.program ? "ran its files where they are, so its code was not kept"
                                       : "is no run of a program",
                          "run " + source.name, "leave --exactly out");
    TY_TRY(run::codeStore(open.workspace).check(launch.code->digest));
    start.code = launch.code;
    for (const auto& each : run::changesSince(folder, *spec.program))
        std::fprintf(stderr, "trainyardctl: note: not as for %s: %s\n", shownName(source.name).c_str(),
                     forTerminal(each).c_str());
    return {};
}

int forkRun(const Session& session, const ControlOptions& options) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto source = runAt(*open->query, options.run);
    if (!source) return fail(source.error());
    if (const auto here = run::mustBeTrainedHere(*source); !here) return fail(here.error());
    std::optional<store::CheckpointRow> from;
    if (!options.fresh) {
        auto checkpoint = findCheckpoint(session, options.run);
        if (!checkpoint) return fail(checkpoint.error());
        from = std::move(*checkpoint);
    }
    auto spec = forkedSpec(*source, from, options.whole, options.overrides);
    if (!spec) return fail(spec.error());
    if (const auto expanded = expandHostsOf(*spec); !expanded) return fail(expanded.error());
    if (const auto signedIn = signInToHostsOf(*spec); !signedIn) return fail(signedIn.error());
    run::StartOptions start;
    if (from) start.resumeFrom = from->path;
    start.forkedFrom = source->id;
    if (const auto launch = run::readLaunchRecord(run::RunFolder{source->folder})) start.files = launch->files;
    if (options.exactly)
        if (const auto exactly = startExactly(*open, *source, *spec, start); !exactly) return fail(exactly.error());
    const auto run = run::startRun(open->workspace, queue::placedNow(open->workspace, std::move(*spec)), start);
    return run ? afterStart(session, open->workspace, *run, options.detach) : fail(run.error());
}

} // namespace

void addControlCommands(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ControlOptions>();
    const auto add = [&](const char* name, const char* help, wire::CommandKind kind) {
        auto* sub = app.add_subcommand(name, help);
        sub->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
        if (kind == wire::CommandKind::SetLearningRate)
            sub->add_option("VALUE", options->value,
                            "the learning rate of the next step; the schedule continues from there")
                ->required();
        if (kind == wire::CommandKind::Resize)
            sub->add_option("NUMBER", options->value, "number of workers from the next step on, within scaling.elastic")
                ->required();
        addCommonOptions(*sub, session);
        sub->callback([&session, options, kind] {
            session.action = [&session, options, kind] { return command(session, *options, kind); };
        });
    };
    add("pause", "pause a run between two steps; its processes and memory stay", wire::CommandKind::Pause);
    add("unpause", "resume a paused run", wire::CommandKind::Unpause);
    add("stacks", "print the Python stacks of all ranks of a program into its log; the program goes on",
        wire::CommandKind::Stacks);
    add("checkpoint", "save a checkpoint of a run now", wire::CommandKind::Checkpoint);
    add("set-lr", "change the learning rate of a run while it trains", wire::CommandKind::SetLearningRate);
    add("set-workers", "give a run more or fewer workers while it trains; it loses no step", wire::CommandKind::Resize);

    auto* rehearseCommand =
        app.add_subcommand("rehearse", "kill one worker of a training run, as a crash would, and time the recovery");
    rehearseCommand->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
    rehearseCommand->add_option("--rank", options->rank, "rank of the worker (default: the last)")
        ->check(CLI::Range(0, 4095));
    rehearseCommand->add_option("--seconds", options->seconds, "give up after this many seconds")
        ->check(CLI::Range(1.0, 3600.0))
        ->capture_default_str();
    addCommonOptions(*rehearseCommand, session);
    rehearseCommand->callback(
        [&session, options] { session.action = [&session, options] { return rehearse(session, *options); }; });

    auto* forkCommand = app.add_subcommand("fork", "start a new run from a checkpoint of another");
    forkCommand->add_option("RUN", options->run, "RUN[@CHECKPOINT]: @best (the default), @last or @STEP")->required();
    forkCommand
        ->add_option("--set", options->overrides,
                     "path=value: replaces one field of the run file, for example "
                     "optimizer.lr=0.05; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    forkCommand->add_flag("--whole", options->whole,
                          "after a head was trained alone: train all weights, at a tenth of its learning rate, for " +
                              std::to_string(run::kEpochsOfWhole) + " more epochs");
    forkCommand->add_flag("--fresh", options->fresh, "begin with fresh weights instead of a checkpoint");
    forkCommand->add_flag("--exactly", options->exactly,
                          "of a program: run the code that RUN has run, and say which packages differ now");
    forkCommand->add_flag("--detach", options->detach, "print the new run's id and return at once");
    addCommonOptions(*forkCommand, session);
    forkCommand->callback(
        [&session, options] { session.action = [&session, options] { return forkRun(session, *options); }; });
}

} // namespace trainyard::ctl
