// SPDX-License-Identifier: GPL-3.0-or-later
// The table itself: a new action is a row here.
// Long because: a table.
#include "engine/run/record/run_folder.h"
#include "engine/run/share/import_runs.h"
#include "engine/run/start/quick_head.h"
#include "engine/store/run_query.h"
#include "ui/actions/action.h"
#include "ui/actions/bad_files_sheet.h"
#include "ui/actions/run_dialogs.h"
#include "ui/actions/share_run.h"
#include "ui/actions/stop_sheet.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/desktop/reveal_file.h"
#include "ui/models/desktop/settings.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include <string_view>

namespace trainyard::ui {

namespace {

using Target = const ActionTarget&;
constexpr auto kWindow = ActionScope::Window;
constexpr auto kRun = ActionScope::Run;
constexpr auto kTable = ActionScope::RunsTable;
using Group = ActionGroup;

const QString& idOf(Target target) { return target.run->id; }

bool isTrial(Target target) { return !target.run->row.sweep.empty(); }
bool active(Target target) { return target.run->active(); }
bool ended(Target target) { return !active(target); }
bool paused(Target target) { return target.bench.feed.status(*target.run) == wire::RunStatus::Paused; }
bool canPause(Target target) { return active(target) && !paused(target) && !target.run->isProgram; }
bool isElastic(Target target) { return active(target) && mostWorkers(*target.run) > 1; }
bool finished(Target target) { return target.run->status == wire::RunStatus::Finished; }
// Only the current run's checkpoints are known.
bool fresh(Target target) {
    return target.bench.selection.current() == idOf(target) && target.bench.feed.isFresh(*target.run);
}
// An imported run has no Trainyard checkpoints, and another program's settings.
bool trainedHere(Target target) { return target.run->importedFrom.isEmpty(); }
// Of a program nothing is known but what it prints and saves: no model, no optimizer, no step to save at.
bool isOwn(Target target) { return !target.run->isProgram; }
bool runsProgram(Target target) {
    return target.run->isProgram && target.bench.feed.status(*target.run) == wire::RunStatus::Running;
}
bool trainsOwn(Target target) { return active(target) && isOwn(target); }
bool trainedOwn(Target target) { return trainedHere(target) && isOwn(target); }
bool canContinue(Target target) { return finished(target) && trainedOwn(target); }
bool canStartAgain(Target target) { return ended(target) && !finished(target) && fresh(target) && trainedHere(target); }
bool canResume(Target target) { return ended(target) && !finished(target) && !fresh(target) && trainedHere(target); }

// A program goes on from the one that is chosen; what Trainyard trains has a fork for that.
bool canResumeFrom(Target target) {
    const bool isOlder = target.checkpoint && !target.checkpoint->last;
    return canResume(target) && target.run->isProgram && !isTrial(target) && target.run->home.isHere() && isOlder;
}
void resumeFrom(Target target) { target.bench.actions.resumeFrom(idOf(target), target.checkpoint->id); }

// A trial keeps its sweep's settings; a Slurm job is resumed as a job.
bool canResumeWith(Target target) {
    return (canResume(target) || canStartAgain(target)) && !isTrial(target) && target.run->isRecorded &&
           !target.run->home.isJob();
}

const store::CheckpointRow* checkpointOf(Target target) {
    return target.checkpoint ? &*target.checkpoint
                             : store::defaultCheckpoint(target.bench.feed.checkpoints(idOf(target)));
}
// A checkpoint whose file is here: for a run that lives on a host, it may have been fetched.
bool hasCheckpoint(Target target) {
    const auto* row = checkpointOf(target);
    return row && target.run->home.hasFile(*row);
}
bool canFetchCheckpoint(Target target) {
    const auto* row = checkpointOf(target);
    return row && !target.run->home.hasFile(*row);
}
bool canFetch(Target target) { return ended(target) && !target.run->fetchFrom.isEmpty(); }
void fetch(Target target) {
    const RunItem& run = *target.run;
    target.bench.actions.fetch(run.id, run.name, run.fetchFrom);
}
void fetchCheckpoint(Target target) {
    target.bench.actions.fetchCheckpoint(idOf(target), target.run->name, checkpointOf(target)->step);
}
bool hasOwnCheckpoint(Target target) { return hasCheckpoint(target) && isOwn(target); }
bool isPinned(Target target) { return hasCheckpoint(target) && checkpointOf(target)->pinned; }
bool canPin(Target target) { return hasCheckpoint(target) && !checkpointOf(target)->pinned; }
template <bool pinned>
void pin(Target target) {
    target.bench.actions.setPinned({checkpointOf(target)->id}, pinned);
}

void resume(Target target) { target.bench.actions.resume(idOf(target)); }
// Actions on one run or several.
std::vector<RunItemPtr> all(Target target) {
    return target.runs.empty() ? std::vector<RunItemPtr>{target.run} : target.runs;
}
QStringList allIds(Target target) {
    QStringList ids;
    for (const RunItemPtr& run : all(target)) ids << run->id;
    return ids;
}
template <wire::StopMode mode>
void stop(Target target) {
    for (const QString& run : allIds(target)) target.bench.actions.stop(run, mode);
}
template <wire::CommandKind kind>
void command(Target target) {
    target.bench.actions.command(idOf(target), kind);
}

// Actions on a trial: requests to its sweep.
template <sweep::Steering::Verb verb>
void steer(Target target) {
    target.bench.actions.steer(QString::fromStdString(target.run->row.sweep),
                               {.verb = verb, .trial = target.run->row.trial});
}
bool trains(Target target) { return isTrial(target) && active(target); }
bool canPromote(Target target) { return isTrial(target) && target.run->status == wire::RunStatus::Stopped; }
bool canRetry(Target target) { return isTrial(target) && target.run->status == wire::RunStatus::Failed; }

// For an imported run, which has no folder, that of its source.
QString folderOf(const RunItem& run) {
    if (run.importedFrom.isEmpty()) return QString::fromStdString(run.row.folder);
    const QFileInfo source(run.importedFrom);
    return source.isDir() ? run.importedFrom : source.absolutePath();
}

bool canFork(Target target) { return trainedHere(target) && (target.run->home.isHere() || hasCheckpoint(target)); }
void fork(Target target) {
    Q_EMIT target.bench.forkRequested(idOf(target), target.checkpoint ? target.checkpoint->step : -1);
}
bool hasDataErrors(Target target) {
    return target.run->home.isHere() && !target.run->isProgram &&
           QFileInfo::exists(QString::fromStdString(run::RunFolder{target.run->row.folder}.dataErrorsFile().string()));
}
bool canTrainOn(Target target) {
    const QString features = target.run->settings.value(QStringLiteral("finetune.features"));
    return run::isQuickHead(features.toStdString()) && ended(target) && !fresh(target) && canFork(target);
}
void trainOn(Target target) { Q_EMIT target.bench.forkRequested(idOf(target), -1, true); }
void runAgain(Target target) {
    Q_EMIT target.bench.newRunRequested(QString::fromStdString(target.run->row.specJson), false);
}

template <bool sweep>
void newRun(Target target) {
    Q_EMIT target.bench.newRunRequested({}, sweep);
}

// An action of the window.
template <void (Workbench::*signal)()>
void ask(Target target) {
    Q_EMIT(target.bench.*signal)();
}
// An action of the Runs page.
template <void (Workbench::*signal)()>
void askRuns(Target target) {
    Q_EMIT target.bench.pageRequested(PageId::runs);
    Q_EMIT(target.bench.*signal)();
}
template <int tab>
void showTab(Target target) {
    Q_EMIT target.bench.pageRequested(PageId::runs);
    Q_EMIT target.bench.tabRequested(tab);
}

void printStacks(Target target) {
    target.bench.selection.setCurrent(idOf(target));
    showTab<2>(target);
    command<wire::CommandKind::Stacks>(target);
}

void showSamples(Target target) {
    Q_EMIT target.bench.pageRequested(PageId::runs);
    target.bench.selection.setCurrent(idOf(target));
    Q_EMIT target.bench.samplesRequested(QString::fromStdString(checkpointOf(target)->path));
}

// Those of programs are offered too, to say why they cannot be served.
bool canServe(Target target) { return hasCheckpoint(target) && trainedHere(target); }
const char* whyNotServed(Target target) {
    return isOwn(target) ? nullptr
                         : QT_TRANSLATE_NOOP("Action", "A program's checkpoint holds no model: serve what it exported "
                                                       "as TorchScript, as a file, from the Serve page");
}
void serve(Target target) {
    const store::CheckpointRow& row = *checkpointOf(target);
    Q_EMIT target.bench.serveRequested(idOf(target), QString::fromStdString(row.path), row.step, {});
}

void rename(Target target) {
    Q_EMIT target.bench.pageRequested(PageId::runs);
    Q_EMIT target.bench.renameRequested(idOf(target));
}

void measureScaling(Target target) {
    Q_EMIT target.bench.pageRequested(PageId::runs);
    Q_EMIT target.bench.scalingRequested(idOf(target));
}
bool canMeasure(Target target) { return !run::importSource(target.run->row) && isOwn(target); }
template <ThemeMode mode>
void setTheme(Target) {
    Settings::themeMode.set(static_cast<int>(mode));
    ThemeController::instance().setMode(mode);
}

template <const char* format>
void exportAs(Target target) {
    exportCheckpoint(target.bench, *target.run, *checkpointOf(target), QLatin1String(format), target.parent);
}
constexpr char kSafetensors[] = "safetensors", kStateDict[] = "state-dict", kTorchScript[] = "torchscript";

template <run::CopyForm form>
void copyAs(Target target) {
    copyRunAs(target.bench, *target.run, form);
}
bool canBeLoaded(Target target) { return hasOwnCheckpoint(target) && trainedHere(target); }

void report(Target target) {
    const QString title = all(target).size() > 1 ? QStringLiteral("comparison") : target.run->name;
    askForReport(target.bench, allIds(target), title, target.parent);
}

std::vector<Action> windowActions() {
    return {
        {"new-run", QT_TRANSLATE_NOOP("Action", "New run…"), "plus", "Ctrl+N", kWindow, Group::Window, newRun<false>},
        {"new-sweep", QT_TRANSLATE_NOOP("Action", "New sweep…"), "sweeps", "Ctrl+Shift+N", kWindow, Group::Window,
         newRun<true>},
        {"first-run", QT_TRANSLATE_NOOP("Action", "Start the first run"), "play", "", kWindow, Group::Window,
         ask<&Workbench::firstRunRequested>},
        {"open-file", QT_TRANSLATE_NOOP("Action", "Open run file…"), "folder", "Ctrl+O", kWindow, Group::Window,
         ask<&Workbench::openFileRequested>},
        {"open-script", QT_TRANSLATE_NOOP("Action", "Run a script…"), "terminal", "Ctrl+Shift+R", kWindow,
         Group::Window, ask<&Workbench::scriptRequested>, nullptr,
         QT_TRANSLATE_NOOP("Action", "Run your own train.py as it is, with its arguments as a form")},
        {"open-images", QT_TRANSLATE_NOOP("Action", "Open a folder of images…"), "image", "Ctrl+Shift+O", kWindow,
         Group::Window, ask<&Workbench::imagesRequested>, nullptr,
         QT_TRANSLATE_NOOP("Action", "Train on your own images, one folder per class")},
        {"import", QT_TRANSLATE_NOOP("Action", "Import runs…"), "import", "Ctrl+I", kWindow, Group::Window,
         [](Target target) { Q_EMIT target.bench.importRequested(); }, nullptr,
         QT_TRANSLATE_NOOP("Action", "Runs from TensorBoard, W&B and MLflow, and tables in CSV or JSON")},
        {"open-workspace", QT_TRANSLATE_NOOP("Action", "Open another workspace…"), "folder", "", kWindow, Group::Window,
         ask<&Workbench::workspaceRequested>},
#ifdef TRAINYARD_REMOTE
        {"add-host", QT_TRANSLATE_NOOP("Action", "Add host…"), "server", "Ctrl+Shift+H", kWindow, Group::Window,
         ask<&Workbench::addHostRequested>},
#endif
        {"palette", QT_TRANSLATE_NOOP("Action", "Search runs and commands"), "search", "Ctrl+K", kWindow, Group::Window,
         ask<&Workbench::paletteRequested>},
        {"full-screen", QT_TRANSLATE_NOOP("Action", "Full screen"), "", "F11", kWindow, Group::Window,
         [](Target target) {
             QWidget* window = target.parent->window();
             window->setWindowState(window->windowState() ^ Qt::WindowFullScreen);
         }},
        {"light-theme", QT_TRANSLATE_NOOP("Action", "Light theme"), "theme", "", kWindow, Group::Window,
         setTheme<ThemeMode::Light>},
        {"dark-theme", QT_TRANSLATE_NOOP("Action", "Dark theme"), "theme", "", kWindow, Group::Window,
         setTheme<ThemeMode::Dark>},
        {"menu", QT_TRANSLATE_NOOP("Action", "Menu"), "menu", "F10", kWindow, Group::Window,
         ask<&Workbench::menuRequested>},
        {"shortcuts", QT_TRANSLATE_NOOP("Action", "Keyboard shortcuts"), "info", "F1", kWindow, Group::Window,
         ask<&Workbench::shortcutsRequested>},
        {"about", QT_TRANSLATE_NOOP("Action", "About Trainyard"), "", "", kWindow, Group::Window,
         ask<&Workbench::aboutRequested>},
        {"quit", QT_TRANSLATE_NOOP("Action", "Quit"), "", "Ctrl+Q", kWindow, Group::Window,
         [](Target target) { target.parent->window()->close(); }, nullptr,
         QT_TRANSLATE_NOOP("Action", "Quit; runs continue")},
    };
}

// Actions of the Runs page, available on every page.
std::vector<Action> pageActions() {
    return {
        {"curves", QT_TRANSLATE_NOOP("Action", "Curves"), "", "Alt+1", kWindow, Group::Window, showTab<0>},
        {"model", QT_TRANSLATE_NOOP("Action", "Model"), "", "Alt+2", kWindow, Group::Window, showTab<1>},
        {"logs", QT_TRANSLATE_NOOP("Action", "Logs"), "", "Alt+3", kWindow, Group::Window, showTab<2>},
        {"compare", QT_TRANSLATE_NOOP("Action", "Compare"), "compare", "Alt+4", kWindow, Group::Window, showTab<3>,
         nullptr, QT_TRANSLATE_NOOP("Action", "The selected runs side by side")},
        {"timeline", QT_TRANSLATE_NOOP("Action", "Timeline"), "clock", "Alt+5", kWindow, Group::Window, showTab<4>,
         nullptr,
         QT_TRANSLATE_NOOP("Action", "See where each rank spends its time, and which rank the others wait for")},
        {"samples", QT_TRANSLATE_NOOP("Action", "Samples"), "image", "Alt+6", kWindow, Group::Window, showTab<5>,
         nullptr, QT_TRANSLATE_NOOP("Action", "See what the current run gets wrong, and try your own sample")},
        {"runs-table", QT_TRANSLATE_NOOP("Action", "Runs table"), "", "F9", kWindow, Group::Window,
         askRuns<&Workbench::runsTableToggled>},
        {"inspector", QT_TRANSLATE_NOOP("Action", "Inspector"), "", "F4", kWindow, Group::Window,
         askRuns<&Workbench::inspectorToggled>},
        {"filter", QT_TRANSLATE_NOOP("Action", "Filter the runs"), "filter", "Ctrl+F", kWindow, Group::Runs,
         askRuns<&Workbench::filterRequested>},
        {"undo", QT_TRANSLATE_NOOP("Action", "Undo"), "", "Ctrl+Z", kWindow, Group::Runs,
         ask<&Workbench::undoRequested>, nullptr,
         QT_TRANSLATE_NOOP(
             "Action",
             "Undo the last archiving, renaming, removal from the queue, or change of tags, notes, colour or charts")},
        {"pause-queue", QT_TRANSLATE_NOOP("Action", "Pause or resume the queue"), "clock", "", kWindow, Group::Runs,
         [](Target target) { target.bench.queue.setPaused(!target.bench.feed.queue().settings.paused); }, nullptr,
         QT_TRANSLATE_NOOP("Action", "A paused queue starts nothing new; active runs continue")},
        {"archived", QT_TRANSLATE_NOOP("Action", "Show archived runs…"), "archive", "", kWindow, Group::Runs,
         askRuns<&Workbench::archivedRequested>, nullptr,
         QT_TRANSLATE_NOOP("Action", "Restore archived runs, or delete them permanently")},
        {"export-charts", QT_TRANSLATE_NOOP("Action", "Export charts or points…"), "export", "Ctrl+E", kWindow,
         Group::Curves, askRuns<&Workbench::chartExportRequested>},
        {"log-x", QT_TRANSLATE_NOOP("Action", "Logarithmic x axis"), "", "", kWindow, Group::Curves,
         askRuns<&Workbench::logXToggled>, nullptr,
         QT_TRANSLATE_NOOP("Action", "Logarithmic x axis: spreads out the start of training. Step 0 is not shown.")},
        {"band", QT_TRANSLATE_NOOP("Action", "Mean ± std band"), "", "", kWindow, Group::Curves,
         askRuns<&Workbench::bandToggled>, nullptr,
         QT_TRANSLATE_NOOP(
             "Action",
             "Mean of the selected runs ± one standard deviation, wherever at least two of them have a value")},
        {"events", QT_TRANSLATE_NOOP("Action", "Events in the charts"), "", "", kWindow, Group::Curves,
         askRuns<&Workbench::eventsToggled>, nullptr,
         QT_TRANSLATE_NOOP("Action",
                           "Marks resumes, restarts, replaced workers, and changes of the learning rate or the number "
                           "of workers. With more than three runs, only those of the run under the pointer.")},
        {"search-charts", QT_TRANSLATE_NOOP("Action", "Search charts"), "search", "Ctrl+Shift+F", kWindow,
         Group::Curves, askRuns<&Workbench::chartSearchRequested>},
        {"search-log", QT_TRANSLATE_NOOP("Action", "Search the log"), "search", "Ctrl+L", kWindow, Group::Logs,
         askRuns<&Workbench::logSearchRequested>},
    };
}

std::vector<Action> controlActions() {
    return {
        {"pause", QT_TRANSLATE_NOOP("Action", "Pause"), "pause", "", kRun, Group::Runs,
         command<wire::CommandKind::Pause>, canPause},
        {"unpause", QT_TRANSLATE_NOOP("Action", "Unpause"), "play", "", kRun, Group::Runs,
         command<wire::CommandKind::Unpause>, paused},
        {"save-checkpoint", QT_TRANSLATE_NOOP("Action", "Save a checkpoint now"), "disk", "", kRun, Group::Runs,
         command<wire::CommandKind::Checkpoint>, trainsOwn},
        {"set-learning-rate", QT_TRANSLATE_NOOP("Action", "Change the learning rate…"), "sliders", "", kRun,
         Group::Runs, [](Target target) { askForLr(target.bench, *target.run, target.parent); }, trainsOwn},
        {"change-workers", QT_TRANSLATE_NOOP("Action", "Change the number of workers…"), "group", "", kRun, Group::Runs,
         [](Target target) { askForWorkers(target.bench, *target.run, target.parent); }, isElastic},
        {"rehearse-loss", QT_TRANSLATE_NOOP("Action", "Rehearse a lost worker…"), "", "", kRun, Group::Runs,
         [](Target target) { confirmRehearsal(target.bench, *target.run, target.parent); }, canPause,
         QT_TRANSLATE_NOOP("Action", "Kill one worker, as a crash would, and see how the run recovers")},
        {"stop", QT_TRANSLATE_NOOP("Action", "Stop and save"), "stop", "Ctrl+.", kRun, Group::Runs,
         [](Target target) { stopOrAsk(target.bench, all(target), target.parent); }, active,
         QT_TRANSLATE_NOOP("Action", "Save a checkpoint, then stop"), false, true, false,
         QT_TRANSLATE_NOOP("Action", "Stop…"),
         QT_TRANSLATE_NOOP("Action", "Stop now or at the next checkpoint; says what would be lost")},
        {"stop-at-checkpoint", QT_TRANSLATE_NOOP("Action", "Stop at the next checkpoint"), "", "", kRun, Group::Runs,
         stop<wire::StopMode::AtCheckpoint>, runsProgram,
         QT_TRANSLATE_NOOP("Action", "The program goes on until it has saved, and ends within about a second"), false,
         true},
        {"stacks", QT_TRANSLATE_NOOP("Action", "Print stacks"), "", "", kRun, Group::Runs, printStacks, runsProgram,
         QT_TRANSLATE_NOOP("Action", "Where each rank of the program is, in its log")},
        {"stop-now", QT_TRANSLATE_NOOP("Action", "Stop now"), "", "", kRun, Group::Runs, stop<wire::StopMode::StopNow>,
         active, nullptr, false, true},
        {"kill", QT_TRANSLATE_NOOP("Action", "Kill"), "", "", kRun, Group::Runs, stop<wire::StopMode::Kill>, active,
         nullptr, true, true},
        {"continue", QT_TRANSLATE_NOOP("Action", "Continue…"), "play", "", kRun, Group::Runs,
         [](Target target) { askForMoreEpochs(target.bench, *target.run, target.parent); }, canContinue,
         QT_TRANSLATE_NOOP("Action", "Train for more epochs from the last checkpoint")},
        {"resume", QT_TRANSLATE_NOOP("Action", "Resume"), "play", "", kRun, Group::Runs, resume, canResume,
         QT_TRANSLATE_NOOP("Action", "Resume from the last good checkpoint")},
        {"resume-from", QT_TRANSLATE_NOOP("Action", "Resume from here"), "play", "", kRun, Group::Runs, resumeFrom,
         canResumeFrom,
         QT_TRANSLATE_NOOP("Action", "Later checkpoints stay where they are; the curve goes on from this one")},
        {"resume-with", QT_TRANSLATE_NOOP("Action", "Resume with changes…"), "sliders", "", kRun, Group::Runs,
         [](Target target) { askForChanges(target.bench, *target.run, target.parent); }, canResumeWith,
         QT_TRANSLATE_NOOP(
             "Action",
             "Change the hosts, the failure settings, or anything else that leaves the training itself unchanged")},
        {"start-again", QT_TRANSLATE_NOOP("Action", "Start again"), "play", "", kRun, Group::Runs, resume,
         canStartAgain, QT_TRANSLATE_NOOP("Action", "There is no checkpoint: start from the beginning")},
    };
}

// Actions on runs that live elsewhere.
std::vector<Action> elsewhereActions() {
    const auto canForget = [](Target target) { return !target.run->home.isHere() && !isTrial(target); };
    return {
        {"fetch", QT_TRANSLATE_NOOP("Action", "Fetch from its host"), "import", "", kRun, Group::Runs, fetch, canFetch,
         QT_TRANSLATE_NOOP(
             "Action",
             "Copy the run with its checkpoints and results to this computer; files already here are skipped")},
        {"fetch-checkpoint", QT_TRANSLATE_NOOP("Action", "Fetch this checkpoint"), "import", "", kRun, Group::Runs,
         fetchCheckpoint, canFetchCheckpoint,
         QT_TRANSLATE_NOOP("Action",
                           "Copy only this checkpoint here, to export, try or fork it; the run stays on its host")},
        {"forget-away", QT_TRANSLATE_NOOP("Action", "Remove from the list"), "", "", kRun, Group::Runs,
         [](Target target) { target.bench.actions.forgetHome(idOf(target)); }, canForget,
         QT_TRANSLATE_NOOP("Action", "The run stays on its host; if it is training, it continues there")},
    };
}

std::vector<Action> trialActions() {
    using Verb = sweep::Steering::Verb;
    return {
        {"stop-trial", QT_TRANSLATE_NOOP("Action", "Stop and save the trial"), "stop", "", kRun, Group::Runs,
         steer<Verb::Stop>, trains, QT_TRANSLATE_NOOP("Action", "Save the trial and end it; its sweep continues"),
         false, false, false, QT_TRANSLATE_NOOP("Action", "Stop the trial"),
         QT_TRANSLATE_NOOP("Action", "End the trial; its sweep continues")},
        {"kill-trial", QT_TRANSLATE_NOOP("Action", "Kill the trial"), "", "", kRun, Group::Runs, steer<Verb::Kill>,
         trains, QT_TRANSLATE_NOOP("Action", "End the trial without saving it; the sweep never starts it again"), true},
        {"promote-trial", QT_TRANSLATE_NOOP("Action", "Promote the trial"), "play", "", kRun, Group::Runs,
         steer<Verb::Promote>, canPromote,
         QT_TRANSLATE_NOOP("Action", "Train it to the end, whatever the scheduler decides")},
        {"retry-trial", QT_TRANSLATE_NOOP("Action", "Retry the trial"), "refresh", "", kRun, Group::Runs,
         steer<Verb::Retry>, canRetry, QT_TRANSLATE_NOOP("Action", "Train it again from its last good checkpoint")},
    };
}

std::vector<Action> runActions() {
    return {
        {"fork", QT_TRANSLATE_NOOP("Action", "Fork…"), "fork", "", kRun, Group::Runs, fork, canFork,
         QT_TRANSLATE_NOOP("Action", "New run from a checkpoint of this one; edit the settings first")},
        {"train-on", QT_TRANSLATE_NOOP("Action", "Train on from here…"), "play", "", kRun, Group::Runs, trainOn,
         canTrainOn,
         QT_TRANSLATE_NOOP("Action", "New run that trains all weights from the best checkpoint of this head; edit the "
                                     "settings first")},
        {"run-again", QT_TRANSLATE_NOOP("Action", "Run again…"), "plus", "", kRun, Group::Runs, runAgain, trainedHere,
         QT_TRANSLATE_NOOP("Action", "New run with the same settings and new weights; edit the settings first")},
        {"measure-scaling", QT_TRANSLATE_NOOP("Action", "Measure scaling…"), "group", "", kRun, Group::Runs,
         measureScaling, canMeasure,
         QT_TRANSLATE_NOOP("Action", "Train briefly with 1, 2, … workers to see how many pay off")},
        {"rename", QT_TRANSLATE_NOOP("Action", "Rename"), "edit", "F2", kTable, Group::Runs, rename},
        {"tags", QT_TRANSLATE_NOOP("Action", "Tags…"), "tag", "", kRun, Group::Runs,
         [](Target target) { editTags(target.bench, all(target), target.parent); }, nullptr, nullptr, false, true},
        {"notes", QT_TRANSLATE_NOOP("Action", "Notes…"), "edit", "", kRun, Group::Runs,
         [](Target target) { editNotes(target.bench, *target.run, target.parent); }},
        {"color", QT_TRANSLATE_NOOP("Action", "Colour…"), "", "", kRun, Group::Runs,
         [](Target target) { editColor(target.bench, all(target), target.parent); }, nullptr,
         QT_TRANSLATE_NOOP("Action", "The colour of the run in all lists and charts"), false, true},
        {"copy-id", QT_TRANSLATE_NOOP("Action", "Copy id"), "copy", "", kRun, Group::Runs,
         [](Target target) { QApplication::clipboard()->setText(allIds(target).join(QLatin1Char('\n'))); }, nullptr,
         nullptr, false, true},
        {"open-folder", QT_TRANSLATE_NOOP("Action", "Open folder"), "folder", "", kRun, Group::Runs,
         [](Target target) { QDesktopServices::openUrl(QUrl::fromLocalFile(folderOf(*target.run))); }},
        {"data-errors", QT_TRANSLATE_NOOP("Action", "Unreadable files…"), "image", "", kRun, Group::Runs,
         [](Target target) { BadFilesSheet::openOf(target.run, target.parent->window()); }, hasDataErrors,
         QT_TRANSLATE_NOOP("Action", "The files of its dataset that the run has left out, and why")},
        {"lineage", QT_TRANSLATE_NOOP("Action", "Lineage"), "lineage", "", kRun, Group::Runs,
         [](Target target) { Q_EMIT target.bench.lineageRequested(idOf(target)); }, nullptr,
         QT_TRANSLATE_NOOP("Action",
                           "Runs that this one comes from, runs that come from it, and what changed between them")},
        {"serve", QT_TRANSLATE_NOOP("Action", "Serve…"), "live", "", kRun, Group::Runs, serve, canServe,
         QT_TRANSLATE_NOOP("Action", "Answer requests with this checkpoint, over HTTP"), false, false, false, nullptr,
         nullptr, false, whyNotServed},
        {"pin-checkpoint", QT_TRANSLATE_NOOP("Action", "Pin checkpoint"), "pin", "", kRun, Group::Runs, pin<true>,
         canPin, QT_TRANSLATE_NOOP("Action", "Pinned checkpoints are never deleted.")},
        {"unpin-checkpoint", QT_TRANSLATE_NOOP("Action", "Unpin checkpoint"), "pin", "", kRun, Group::Runs, pin<false>,
         isPinned},
        {"reveal-checkpoint", QT_TRANSLATE_NOOP("Action", "Show file in its folder"), "folder", "", kRun, Group::Runs,
         [](Target target) { revealFile(QString::fromStdString(checkpointOf(target)->path)); }, hasCheckpoint},
        {"show-samples", QT_TRANSLATE_NOOP("Action", "Show samples"), "image", "", kRun, Group::Runs, showSamples,
         hasOwnCheckpoint, QT_TRANSLATE_NOOP("Action", "See what the checkpoint gets wrong, and try your own sample")},
    };
}

// Exports of a run for other programs and people; archiving stands last in a menu.
std::vector<Action> outputActions() {
    return {
        {"export-safetensors", QT_TRANSLATE_NOOP("Action", "Export safetensors…"), "export", "", kRun, Group::Runs,
         exportAs<kSafetensors>, hasOwnCheckpoint},
        {"export-state-dict", QT_TRANSLATE_NOOP("Action", "Export state dict for PyTorch…"), "", "", kRun, Group::Runs,
         exportAs<kStateDict>, hasOwnCheckpoint},
        {"export-torchscript", QT_TRANSLATE_NOOP("Action", "Export TorchScript…"), "", "", kRun, Group::Runs,
         exportAs<kTorchScript>, hasOwnCheckpoint},
        {"export-csv", QT_TRANSLATE_NOOP("Action", "Export all points as CSV…"), "", "", kRun, Group::Runs,
         [](Target target) { exportPoints(target.bench, all(target), target.parent); }, nullptr, nullptr, false, true},
        {"export-tensorboard", QT_TRANSLATE_NOOP("Action", "Export for TensorBoard…"), "", "", kRun, Group::Runs,
         [](Target target) { exportEvents(target.bench, *target.run, target.parent); }},
        {"export-bundle", QT_TRANSLATE_NOOP("Action", "Export for another computer…"), "", "", kRun, Group::Runs,
         [](Target target) { askForBundle(target.bench, all(target), target.parent); }, ended,
         QT_TRANSLATE_NOOP(
             "Action",
             "One file with settings, points, checkpoints and logs, for “Import runs…” on the other computer"),
         false, true},
        {"copy-command", QT_TRANSLATE_NOOP("Action", "Copy as command"), "copy", "", kRun, Group::Runs,
         copyAs<run::CopyForm::Command>, trainedHere,
         QT_TRANSLATE_NOOP("Action", "Command for a terminal that starts an identical run")},
        {"copy-run-file", QT_TRANSLATE_NOOP("Action", "Copy as run file"), "", "", kRun, Group::Runs,
         copyAs<run::CopyForm::RunFile>, trainedHere},
        {"copy-cpp", QT_TRANSLATE_NOOP("Action", "Copy as C++"), "", "", kRun, Group::Runs, copyAs<run::CopyForm::Cpp>,
         trainedOwn, QT_TRANSLATE_NOOP("Action", "Program that starts an identical run through the library")},
        {"copy-python", QT_TRANSLATE_NOOP("Action", "Copy as Python loader"), "", "", kRun, Group::Runs,
         copyAs<run::CopyForm::Python>, canBeLoaded,
         QT_TRANSLATE_NOOP("Action", "Loads the weights of the best checkpoint with PyTorch")},
        {"report", QT_TRANSLATE_NOOP("Action", "Report…"), "export", "", kRun, Group::Runs, report, nullptr,
         QT_TRANSLATE_NOOP("Action", "One file, HTML or PDF: curves, results, settings; several runs side by side"),
         false, true, false, nullptr, nullptr, true},
        {"archive", QT_TRANSLATE_NOOP("Action", "Archive"), "archive", "Del", kTable, Group::Runs,
         [](Target target) { target.bench.actions.setArchived(allIds(target), true); }, ended,
         QT_TRANSLATE_NOOP("Action", "Hide the selected runs; their files stay."), false, true},
    };
}

} // namespace

const std::vector<Action>& actions() {
    static const std::vector<Action> all = [] {
        // The most wanted actions on a run stand first in the command palette.
        auto rows = controlActions();
        for (auto* part : {elsewhereActions, trialActions})
            for (auto& each : part()) rows.push_back(each);
        for (Action& each : rows) each.elsewhere = true;
        for (auto* part : {windowActions, pageActions, runActions, outputActions}) {
            const auto added = part();
            rows.insert(rows.end(), added.begin(), added.end());
        }
        for (Action& each : rows) // those that need only a checkpoint's file
            for (const char* id : {"run-again", "tags", "notes", "color", "copy-id", "archive", "export-csv",
                                   "export-tensorboard", "fork", "show-samples", "reveal-checkpoint",
                                   "export-safetensors", "export-state-dict", "export-torchscript"})
                each.elsewhere = each.elsewhere || std::string_view(each.id) == id;
        return rows;
    }();
    return all;
}

} // namespace trainyard::ui
