// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/run_actions.h"

#include "engine/run/actions/choose_printed.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/share/export_run.h"
#include "engine/store/run_query.h"
#include "ui/models/actions/model_export.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <QFileInfo>

namespace trainyard::ui {

namespace {

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

Home::Then<void> RunActions::orFailed(const QString& what) {
    return [this, what](const Result<void>& result) {
        if (!result) Q_EMIT failed(what, result.error());
    };
}

void RunActions::stop(const QString& run, wire::StopMode mode) {
    homeOf(run)->stop(run.toStdString(), mode, [this](const Result<void>& result) {
        if (result) return;
        // It came to its end between the click and the request, so what was asked for is the case.
        if (result.error().code == ErrorCode::NotRunning) Q_EMIT done(tr("The run had already ended"), {});
        else Q_EMIT failed(tr("The run was not stopped"), result.error());
    });
}

void RunActions::stopSweep(const QString& sweep, wire::StopMode mode) {
    homeOf(sweep)->stopSweep(sweep.toStdString(), mode, orFailed(tr("The sweep was not stopped")));
}

void RunActions::steer(const QString& sweep, const sweep::Steering& asked) {
    homeOf(sweep)->steer(sweep.toStdString(), asked, [this, asked](const Result<void>& result) {
        if (result) Q_EMIT done(sentence(engineSentence(sweep::describe(asked))), {});
        else Q_EMIT failed(tr("The sweep was not changed"), result.error());
    });
}

void RunActions::rehearseLoss(const QString& run, int rank, const Home::Then<run::Rehearsal>& then) {
    homeOf(run)->rehearse(run.toStdString(), rank, then);
}

namespace {

QString doneText(const wire::CommandDone& done) {
    const auto step = static_cast<qlonglong>(done.step);
    switch (done.kind) {
    case wire::CommandKind::Pause: return RunActions::tr("Paused after step %1").arg(step);
    case wire::CommandKind::Unpause: return RunActions::tr("Resumed after step %1").arg(step);
    case wire::CommandKind::Checkpoint: return RunActions::tr("Saved step %1").arg(step);
    case wire::CommandKind::SetLearningRate:
        return RunActions::tr("Learning rate %1 after step %2").arg(digitsText(done.value, 6)).arg(step);
    case wire::CommandKind::Resize:
        return RunActions::tr("%1 workers after step %2").arg(static_cast<int>(done.value)).arg(step);
    case wire::CommandKind::Stacks: return RunActions::tr("The stacks of all ranks are in their logs");
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
    case wire::CommandKind::Stacks: return RunActions::tr("No stacks were taken");
    }
    return {};
}

} // namespace

void RunActions::command(const QString& run, wire::CommandKind kind, double value) {
    homeOf(run)->command(run.toStdString(), kind, value, [this, kind](const Result<wire::CommandDone>& result) {
        if (result) Q_EMIT done(doneText(*result), {});
        else Q_EMIT failed(failedText(kind), result.error());
    });
}

void RunActions::forgetHome(const QString& run) {
    const auto note = run::findNote(run::homeNotes(m_workspace), run.toStdString());
    if (!note) return;
    if (const auto gone = run::forgetHome(m_workspace, note->id); !gone)
        return Q_EMIT failed(tr("Nothing was changed"), gone.error());
    Q_EMIT done(tr("%1 was removed from the list; it stays on %2")
                    .arg(QString::fromStdString(note->name), QString::fromStdString(note->host)),
                [self = QPointer<RunActions>(this), note = *note] {
                    if (self) (void)run::noteHome(self->m_workspace, note);
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

void RunActions::edit(const std::vector<run::RunEdit>& edits, const QString& told) { edit(edits, told, true); }

void RunActions::edit(const std::vector<run::RunEdit>& edits, const QString& told, bool canBeUndone) {
    const auto ended = [this, told, canBeUndone](const Result<std::vector<run::RunEdit>>& back) {
        if (!back) return Q_EMIT failed(tr("Nothing was changed"), back.error());
        std::function<void()> undo;
        if (canBeUndone && !back->empty())
            undo = [self = QPointer<RunActions>(this), before = *back] {
                if (self) self->edit(before, tr("Undone"), false);
            };
        Q_EMIT done(told, undo);
        Q_EMIT archiveChanged();
    };
    std::map<std::string, std::vector<run::RunEdit>> byHome;
    for (const auto& each : edits) {
        const auto note = run::homeNote(m_workspace, each.run);
        byHome[note ? note->host : std::string()].push_back(each);
    }
    for (const auto& [host, part] : byHome) homeNamed(means(), host)->edit(part, ended);
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

void RunActions::choosePrinted(const QString& run, const QString& name, program::PrintedChoice choice) {
    inBackground(
        this,
        [workspace = m_workspace, run = RunId(run.toStdString()), name = name.toStdString(), choice] {
            return run::choosePrinted(workspace, run, name, choice);
        },
        [this, run, name, choice](const Result<program::PrintedChoice>& before) {
            if (!before) return Q_EMIT failed(tr("Nothing was changed"), before.error());
            const auto undo = [self = QPointer<RunActions>(this), run, name, before = *before] {
                if (self) self->choosePrinted(run, name, before);
            };
            const QString told =
                choice == program::PrintedChoice::Taken     ? tr("“%1” is a metric of this run from now on")
                : choice == program::PrintedChoice::Dropped ? tr("“%1” is no metric of this run from now on")
                                                            : tr("“%1” is a metric of this run if it looks like one");
            Q_EMIT done(told.arg(name), undo);
        });
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

void RunActions::exportTensorBoard(const QString& run, const QString& folder) {
    quietly(
        tr("Nothing was exported"),
        [workspace = homeOf(run)->record(), id = run.toStdString(), to = folder.toStdString()] {
            return withQuery(workspace, [&](store::RunQuery& query) { return saveTensorBoard(query, id, to); });
        },
        tr("Exported to %1").arg(folder));
}

void RunActions::exportCsv(const QString& run, const QString& out) {
    quietly(
        tr("Nothing was exported"),
        [workspace = homeOf(run)->record(), id = run.toStdString(), to = out.toStdString()] {
            return withQuery(workspace, [&](store::RunQuery& query) { return run::exportCsv(query, id, to); });
        },
        tr("Exported to %1").arg(out));
}

} // namespace trainyard::ui
