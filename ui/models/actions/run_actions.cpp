// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/run_actions.h"

#include "engine/run/attach/run_control.h"
#include "engine/run/record/away_runs.h"
#include "engine/run/share/export_run.h"
#include "engine/run/start/rehearse_loss.h"
#include "engine/spec/values/params_text.h"
#include "engine/store/run_query.h"
#include "ui/models/actions/model_export.h"
#include "ui/models/away/away_call.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

namespace trainyard::ui {

namespace {

constexpr double kRehearsalSeconds = 120;

// `save` is given the workspace's query.
template <class Save>
Result<void> withQuery(const store::Workspace& workspace, Save save) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    return save(*query);
}

Result<void> saveTensorBoard(store::RunQuery& query, const std::string& run, const std::string& folder) {
    TY_ASSIGN(const auto row, query.run(run));
    TY_ASSIGN([[maybe_unused]] const auto file, run::exportTensorBoard(query, row, folder));
    return {};
}

} // namespace

RunActions::RunActions(store::Workspace workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {}

template <class Work>
void RunActions::quietly(const QString& what, Work work, const QString& message) {
    inBackground(this, std::move(work), [this, what, message](Result<void> result) {
        if (!result) Q_EMIT failed(what, result.error());
        else if (!message.isEmpty()) Q_EMIT done(message, {});
    });
}

bool RunActions::askThere(const QString& run, const QString& what, const QStringList& words,
                          const std::function<void(const QByteArray&)>& then) {
    if (!run::awayRun(m_workspace, run.toStdString())) return false;
    callAway(this, m_workspace, words, [this, what, then](const Result<QByteArray>& printed) {
        if (!printed) Q_EMIT failed(what, printed.error());
        else if (then) then(*printed);
    });
    return true;
}

namespace {

// The words of the terminal.
QStringList stopWords(const QString& runOrSweep, wire::StopMode mode) {
    QStringList words{mode == wire::StopMode::Kill ? QStringLiteral("kill") : QStringLiteral("stop"), runOrSweep};
    if (mode == wire::StopMode::StopNow) words << QStringLiteral("--now");
    return words;
}

QStringList steerWords(const QString& sweep, const sweep::Steering& asked) {
    using Verb = sweep::Steering::Verb;
    QStringList words{QStringLiteral("sweep"), QLatin1String(sweep::toString(asked.verb)), sweep};
    if (sweep::isOfTrial(asked.verb)) words << QString::number(asked.trial);
    if (asked.verb == Verb::Add) words << QString::number(asked.count);
    if (asked.verb == Verb::Restrict) words << QString::fromStdString(spec::toText(asked.restriction));
    if (asked.parallel) words << QStringLiteral("parallel=%1").arg(*asked.parallel);
    if (asked.trials) words << QStringLiteral("trials=%1").arg(*asked.trials);
    for (const auto& [path, value] : asked.params)
        words << QStringLiteral("--set") << QString::fromStdString(path + "=" + spec::toText(value));
    return words;
}

} // namespace

void RunActions::stop(const QString& run, wire::StopMode mode) {
    if (askThere(run, tr("The run was not stopped"), stopWords(run, mode))) return;
    quietly(tr("The run was not stopped"),
            [workspace = m_workspace, id = run.toStdString(), mode] { return run::stopRun(workspace, id, mode); });
}

void RunActions::stopSweep(const QString& sweep, wire::StopMode mode) {
    if (askThere(sweep, tr("The sweep was not stopped"), stopWords(sweep, mode))) return;
    quietly(tr("The sweep was not stopped"), [workspace = m_workspace, id = sweep.toStdString(), mode] {
        return sweep::stopSweep(workspace, id, mode);
    });
}

void RunActions::steer(const QString& sweep, const sweep::Steering& asked) {
    const auto told = [this, asked](const QByteArray&) {
        Q_EMIT done(sentence(engineSentence(sweep::describe(asked))), {});
    };
    if (askThere(sweep, tr("The sweep was not changed"), steerWords(sweep, asked), told)) return;
    inBackground(
        this,
        [workspace = m_workspace, id = sweep.toStdString(), asked] { return sweep::steerSweep(workspace, id, asked); },
        [this, asked](Result<sweep::Steered> result) {
            if (result) Q_EMIT done(sentence(engineSentence(sweep::describe(asked))), {});
            else Q_EMIT failed(tr("The sweep was not changed"), result.error());
        });
}

void RunActions::rehearseLoss(const QString& run, int rank) {
    inBackground(
        this,
        [workspace = m_workspace, id = run.toStdString(), rank] {
            return run::rehearseLoss(workspace, id, rank, kRehearsalSeconds, [] { return false; });
        },
        [this](const Result<run::Rehearsal>& rehearsal) {
            if (rehearsal) Q_EMIT done(sentence(QString::fromStdString(rehearsal->text())), {});
            else Q_EMIT failed(tr("The rehearsal did not succeed"), rehearsal.error());
        });
}

namespace {

QString doneText(const wire::CommandDone& done) {
    const auto step = static_cast<qlonglong>(done.step);
    switch (done.kind) {
    case wire::CommandKind::Pause: return RunActions::tr("Paused after step %1").arg(step);
    case wire::CommandKind::Unpause: return RunActions::tr("Resumed after step %1").arg(step);
    case wire::CommandKind::Checkpoint: return RunActions::tr("Saved step %1").arg(step);
    case wire::CommandKind::SetLearningRate:
        return RunActions::tr("Learning rate %1 after step %2").arg(done.value, 0, 'g', 6).arg(step);
    case wire::CommandKind::Resize:
        return RunActions::tr("%1 workers after step %2").arg(static_cast<int>(done.value)).arg(step);
    }
    return {};
}

QString failedText(wire::CommandKind kind) {
    switch (kind) {
    case wire::CommandKind::Pause: return RunActions::tr("The run was not paused");
    case wire::CommandKind::Unpause: return RunActions::tr("The run could not be resumed");
    case wire::CommandKind::Checkpoint: return RunActions::tr("No checkpoint was saved");
    case wire::CommandKind::SetLearningRate: return RunActions::tr("The learning rate was not changed");
    case wire::CommandKind::Resize: return RunActions::tr("The number of workers was not changed");
    }
    return {};
}

// The words of the terminal.
QStringList wordsOf(const QString& run, wire::CommandKind kind, double value) {
    switch (kind) {
    case wire::CommandKind::Pause: return {QStringLiteral("pause"), run};
    case wire::CommandKind::Unpause: return {QStringLiteral("unpause"), run};
    case wire::CommandKind::Checkpoint: return {QStringLiteral("checkpoint"), run};
    case wire::CommandKind::SetLearningRate:
        return {QStringLiteral("set-lr"), run, QString::number(value, 'g', QLocale::FloatingPointShortest)};
    case wire::CommandKind::Resize: return {QStringLiteral("set-workers"), run, QString::number(value, 'f', 0)};
    }
    return {};
}

} // namespace

void RunActions::command(const QString& run, wire::CommandKind kind, double value) {
    const auto told = [this, kind, value](const QByteArray& printed) {
        const QJsonObject json = QJsonDocument::fromJson(printed).object();
        wire::CommandDone carriedOut;
        carriedOut.kind = kind;
        carriedOut.value = value;
        carriedOut.step = json[QLatin1String("step")].toInteger();
        Q_EMIT done(doneText(carriedOut), {});
    };
    if (askThere(run, failedText(kind), wordsOf(run, kind, value), told)) return;
    inBackground(
        this,
        [workspace = m_workspace, id = run.toStdString(), kind, value] {
            return run::commandRun(workspace, id, kind, value);
        },
        [this, kind](Result<wire::CommandDone> result) {
            if (result) Q_EMIT done(doneText(*result), {});
            else Q_EMIT failed(failedText(kind), result.error());
        });
}

void RunActions::forgetAway(const QString& run) {
    const auto note = run::findAway(run::awayRuns(m_workspace), run.toStdString());
    if (!note) return;
    if (const auto gone = run::forgetAway(m_workspace, note->id); !gone)
        return Q_EMIT failed(tr("Nothing was changed"), gone.error());
    Q_EMIT done(tr("%1 is off the list and stays on %2")
                    .arg(QString::fromStdString(note->name), QString::fromStdString(note->host)),
                [self = QPointer<RunActions>(this), note = *note] {
                    if (self) (void)run::noteAway(self->m_workspace, note);
                });
}

void RunActions::rename(const QString& run, const QString& name) {
    edit({{.run = run.toStdString(), .name = name.toStdString()}}, tr("Renamed"));
}

void RunActions::setTags(const QString& run, const QString& tags) {
    edit({{.run = run.toStdString(), .tags = tags.toStdString()}}, tr("Tags saved"));
}

void RunActions::setNotes(const QString& run, const QString& notes) {
    edit({{.run = run.toStdString(), .notes = notes.toStdString()}}, tr("Notes saved"));
}

void RunActions::setColor(const QStringList& runs, const QString& color) {
    QMap<QString, QString> colors;
    for (const QString& run : runs) colors.insert(run, color);
    setColors(colors);
}

void RunActions::setColors(const QMap<QString, QString>& colors) {
    std::vector<run::RunEdit> edits;
    for (auto run = colors.begin(); run != colors.end(); ++run)
        edits.push_back({.run = run.key().toStdString(), .color = run.value().toStdString()});
    edit(edits, tr("Colour of %n runs changed", nullptr, static_cast<int>(colors.size())));
}

void RunActions::setArchived(const QStringList& runs, bool archived) {
    std::vector<run::RunEdit> edits;
    for (const QString& run : runs) edits.push_back({.run = run.toStdString(), .archived = archived});
    const auto count = static_cast<int>(runs.size());
    edit(edits, archived ? tr("%n runs archived", nullptr, count) : tr("%n runs restored", nullptr, count));
}

// The edit that takes this one back, by what is known here of the run.
std::optional<run::RunEdit> RunActions::editBack(const run::RunEdit& edit) const {
    const auto query = store::RunQuery::open(recordOf(QString::fromStdString(edit.run)));
    if (!query) return {};
    const auto row = (*query)->run(edit.run);
    if (!row) return {};
    run::RunEdit back{.run = edit.run};
    if (edit.tags) back.tags = row->tags;
    if (edit.notes) back.notes = row->notes;
    if (edit.color) back.color = row->color;
    if (edit.archived) back.archived = !*edit.archived;
    return back;
}

// An edit of a run that lives on a host is made there; its name is no part of that.
bool RunActions::editThere(const run::RunEdit& edit, const QString& told, bool canBeUndone) {
    const QString run = QString::fromStdString(edit.run);
    if (!run::awayRun(m_workspace, edit.run)) return false;
    QStringList words;
    if (edit.tags) words = {QStringLiteral("tag"), run, QString::fromStdString(*edit.tags)};
    else if (edit.notes) words = {QStringLiteral("notes"), run, QString::fromStdString(*edit.notes)};
    else if (edit.color)
        words = {QStringLiteral("color"), run,
                 edit.color->empty() ? QStringLiteral("auto") : QString::fromStdString(*edit.color)};
    else if (edit.archived) words = {*edit.archived ? QStringLiteral("archive") : QStringLiteral("restore"), run};
    else return false;
    const auto back = canBeUndone ? editBack(edit) : std::nullopt;
    return askThere(run, tr("Nothing was changed"), words, [this, back, told](const QByteArray&) {
        std::function<void()> undo;
        if (back)
            undo = [self = QPointer<RunActions>(this), before = *back] {
                if (self) self->editThere(before, tr("Undone"), false);
            };
        Q_EMIT done(told, undo);
    });
}

void RunActions::edit(const std::vector<run::RunEdit>& edits, const QString& told) {
    std::vector<run::RunEdit> here;
    for (const auto& each : edits)
        if (!editThere(each, told, true)) here.push_back(each);
    apply(here, told, true);
}

void RunActions::apply(const std::vector<run::RunEdit>& edits, const QString& told, bool canBeUndone) {
    if (edits.empty()) return;
    inBackground(
        this, [workspace = m_workspace, edits] { return run::editRuns(workspace, edits); },
        [this, told, canBeUndone](Result<std::vector<run::RunEdit>> back) {
            if (!back) return Q_EMIT failed(tr("Nothing was changed"), back.error());
            std::function<void()> undo;
            if (canBeUndone)
                undo = [self = QPointer<RunActions>(this), edits = std::move(*back)] {
                    if (self) self->apply(edits, tr("Undone"), false);
                };
            Q_EMIT done(told, undo);
            Q_EMIT archiveChanged();
        });
}

void RunActions::deleteForGood(const QStringList& runs) {
    std::vector<std::string> ids;
    for (const QString& run : runs) ids.push_back(run.toStdString());
    inBackground(
        this, [workspace = m_workspace, ids] { return run::deleteRuns(workspace, ids); },
        [this, count = static_cast<int>(runs.size())](Result<std::uintmax_t> bytes) {
            if (!bytes) Q_EMIT failed(tr("Not all runs were deleted"), bytes.error());
            else
                Q_EMIT done(tr("%n runs deleted, %1 freed", nullptr, count).arg(bytesText(static_cast<double>(*bytes))),
                            {});
            Q_EMIT archiveChanged();
        });
}

void RunActions::exportCheckpoint(const QString& checkpoint, const QString& format, const QString& out) {
    auto* job = new ModelExport(checkpoint, format, out, this);
    connect(job, &ModelExport::ended, this, [this, out](const Result<void>& result) {
        if (result) Q_EMIT done(tr("Exported to %1").arg(out), {});
        else if (result.error().kind == ErrorKind::Stopped) Q_EMIT done(tr("The export was cancelled"), {});
        else Q_EMIT failed(tr("Nothing was exported"), result.error());
    });
    Q_EMIT jobStarted(job);
    Q_EMIT exportStarted(job);
    job->start();
}

void RunActions::setPinned(const std::vector<std::int64_t>& checkpoints, bool pinned) {
    std::vector<run::PinEdit> edits;
    for (const std::int64_t id : checkpoints) edits.push_back({id, pinned});
    const auto count = static_cast<int>(edits.size());
    pin(edits, pinned ? tr("%n checkpoints pinned", nullptr, count) : tr("%n checkpoints unpinned", nullptr, count),
        true);
}

void RunActions::pin(const std::vector<run::PinEdit>& edits, const QString& told, bool canBeUndone) {
    if (edits.empty()) return;
    inBackground(
        this, [workspace = m_workspace, edits] { return run::pinCheckpoints(workspace, edits); },
        [this, told, canBeUndone](Result<std::vector<run::PinEdit>> back) {
            if (!back) return Q_EMIT failed(tr("Nothing was pinned"), back.error());
            std::function<void()> undo;
            if (canBeUndone)
                undo = [self = QPointer<RunActions>(this), edits = std::move(*back)] {
                    if (self) self->pin(edits, tr("Undone"), false);
                };
            Q_EMIT done(told, undo);
        });
}

void RunActions::prune(const run::PrunePlan& plan) {
    inBackground(
        this, [workspace = m_workspace, plan] { return run::pruneCheckpoints(workspace, plan); },
        [this](const Result<run::Pruned>& pruned) {
            if (!pruned) return Q_EMIT failed(tr("Not all checkpoints were deleted"), pruned.error());
            QString told = tr("%n checkpoints deleted, %1 freed", nullptr, pruned->deleted)
                               .arg(bytesText(static_cast<double>(pruned->freedBytes)));
            if (!pruned->left.empty()) told += tr("; %1").arg(QString::fromStdString(pruned->left.front()));
            Q_EMIT done(told, {});
        });
}

// Where its points are: of a run that lives on a host, the copy.
store::Workspace RunActions::recordOf(const QString& run) const {
    return run::awayRun(m_workspace, run.toStdString()) ? run::awayWorkspace(m_workspace) : m_workspace;
}

void RunActions::exportTensorBoard(const QString& run, const QString& folder) {
    quietly(
        tr("Nothing was exported"),
        [workspace = recordOf(run), id = run.toStdString(), to = folder.toStdString()] {
            return withQuery(workspace, [&](store::RunQuery& query) { return saveTensorBoard(query, id, to); });
        },
        tr("Exported to %1").arg(folder));
}

void RunActions::exportCsv(const QString& run, const QString& out) {
    quietly(
        tr("Nothing was exported"),
        [workspace = recordOf(run), id = run.toStdString(), to = out.toStdString()] {
            return withQuery(workspace, [&](store::RunQuery& query) { return run::exportCsv(query, id, to); });
        },
        tr("Exported to %1").arg(out));
}

} // namespace trainyard::ui
