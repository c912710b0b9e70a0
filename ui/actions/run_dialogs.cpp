// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/run_dialogs.h"

#include "engine/spec/run/learning_rate.h"
#include "ui/actions/color_sheet.h"
#include "ui/actions/rehearsal_sheet.h"
#include "ui/actions/resume_sheet.h"
#include "ui/forms/fields/param_field.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/text/format.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace trainyard::ui {

namespace {

struct DialogWords {
    Q_DECLARE_TR_FUNCTIONS(RunDialogs)
};

// The reason that a learning rate cannot be set; empty: it can.
QString faultOfRate(const QString& text) {
    const auto rate = readNumber(text);
    if (!rate) return QString::fromStdString(rate.error().message);
    if (*rate <= 0) return DialogWords::tr("It must be greater than 0");
    if (*rate > spec::kMaxLearningRate) return DialogWords::tr("It must be at most %1").arg(spec::kMaxLearningRate);
    return {};
}

void askForMoreEpochs(const RunItem& run, QWidget* parent, const std::function<void(int)>& then) {
    auto* sheet = new AskSheet(parent, DialogWords::tr("Continue"),
                               DialogWords::tr("More epochs for %1:").arg(run.name), DialogWords::tr("Continue"));
    sheet->askForNumber(5, 1, 1'000'000, then);
    sheet->open();
}

struct ExportFormat {
    const char *format, *title, *suffix, *filter;
};
constexpr ExportFormat kFormats[] = {{"safetensors", QT_TRANSLATE_NOOP("RunDialogs", "Export safetensors"),
                                      "safetensors", QT_TRANSLATE_NOOP("RunDialogs", "safetensors (*.safetensors)")},
                                     {"state-dict", QT_TRANSLATE_NOOP("RunDialogs", "Export state dict"), "pt",
                                      QT_TRANSLATE_NOOP("RunDialogs", "PyTorch state dict (*.pt)")},
                                     {"torchscript", QT_TRANSLATE_NOOP("RunDialogs", "Export TorchScript"),
                                      "torchscript.pt", QT_TRANSLATE_NOOP("RunDialogs", "TorchScript (*.pt)")}};

} // namespace

int mostWorkers(const RunItem& run) { return run.settings.value(QStringLiteral("scaling.elastic.max")).toInt(); }

void askForMoreEpochs(Workbench& bench, const RunItem& run, QWidget* parent) {
    askForMoreEpochs(run, parent, [&bench, id = run.id](int epochs) { bench.actions.resume(id, epochs); });
}

void goOnWithChangedData(Workbench& bench, const RunItem& run, QWidget* parent) {
    const auto goOn = [&bench, id = run.id](int moreEpochs) {
        bench.actions.resumeWith(id, moreEpochs, {"data.changed=accept"}, [&bench](const Result<void>& resumed) {
            if (!resumed) Q_EMIT bench.actions.failed(DialogWords::tr("The run could not be resumed"), resumed.error());
        });
    };
    if (run.status == wire::RunStatus::Finished) askForMoreEpochs(run, parent, goOn);
    else goOn(0);
}

void askForChanges(Workbench& bench, const RunItem& run, QWidget* parent) {
    const auto before = spec::parseRunSpec(run.row.specJson, "run " + run.row.name);
    if (!before) return Q_EMIT bench.actions.failed(DialogWords::tr("The run could not be resumed"), before.error());
    (new ResumeSheet(bench, run, *before, parent))->open();
}

void askForLr(Workbench& bench, const RunItem& run, QWidget* parent) {
    auto* sheet = new AskSheet(
        parent, DialogWords::tr("Learning rate"),
        DialogWords::tr("Learning rate of %1 from the next step on; the schedule continues from it:").arg(run.name),
        DialogWords::tr("Change"));
    const auto* lr = run.find("lr");
    const QString now =
        lr && lr->count > 0 ? digitsText(lr->last, 6) : localText(run.settings.value(QStringLiteral("optimizer.lr")));
    const auto change = [&bench, id = run.id](const QString& text) {
        if (const auto value = readNumber(text)) bench.actions.command(id, wire::CommandKind::SetLearningRate, *value);
    };
    sheet->askForLine(now, change, faultOfRate);
    sheet->open();
}

void askForWorkers(Workbench& bench, const RunItem& run, QWidget* parent) {
    const int least = run.settings.value(QStringLiteral("scaling.elastic.min")).toInt(), most = mostWorkers(run);
    auto* sheet = new AskSheet(parent, DialogWords::tr("Workers"),
                               DialogWords::tr("Workers of %1 from the next step on, %2 to %3; no step is lost:")
                                   .arg(run.name)
                                   .arg(least)
                                   .arg(most),
                               DialogWords::tr("Change"));
    sheet->askForNumber(run.workers, least, most, [&bench, id = run.id](int workers) {
        bench.actions.command(id, wire::CommandKind::Resize, workers);
    });
    sheet->open();
}

void confirmRehearsal(Workbench& bench, const RunItem& run, QWidget* parent) {
    (new RehearsalSheet(bench, run, parent))->open();
}

QStringList changedTags(QStringList tags, const QString& words) {
    for (QString word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const bool away = word.startsWith(QLatin1Char('-'));
        if (away) word.remove(0, 1);
        tags.removeAll(word);
        if (!away && !word.isEmpty()) tags << word;
    }
    return tags;
}

namespace {

void changeTags(Workbench& bench, const std::vector<RunItemPtr>& runs, const QString& words) {
    std::vector<run::RunEdit> edits;
    for (const RunItemPtr& run : runs)
        edits.push_back(
            {.run = run->row.id, .tags = changedTags(run->tags, words).join(QLatin1Char(' ')).toStdString()});
    const int count = static_cast<int>(edits.size());
    bench.actions.edit(edits, QCoreApplication::translate("RunDialogs", "Tags of %n runs saved", nullptr, count));
}

} // namespace

void editTags(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent) {
    const bool one = runs.size() == 1;
    auto* sheet = new AskSheet(parent, DialogWords::tr("Tags"),
                               one ? DialogWords::tr("Tags of %1, separated by spaces:").arg(runs.front()->name)
                                   : DialogWords::tr("Tags to add to %1 runs; -tag removes one:").arg(runs.size()),
                               DialogWords::tr("Save"));
    sheet->askForLine(one ? runs.front()->tags.join(QLatin1Char(' ')) : QString(),
                      [&bench, runs, one](const QString& text) {
                          if (one) bench.actions.setTags(runs.front()->id, text.simplified());
                          else changeTags(bench, runs, text);
                      });
    sheet->open();
}

void editNotes(Workbench& bench, const RunItem& run, QWidget* parent) {
    auto* sheet = new AskSheet(parent, DialogWords::tr("Notes"), DialogWords::tr("Notes on %1:").arg(run.name),
                               DialogWords::tr("Save"));
    sheet->askForLines(QString::fromStdString(run.row.notes),
                       [&bench, id = run.id](const QString& text) { bench.actions.setNotes(id, text.trimmed()); });
    sheet->open();
}

void editColor(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent) {
    (new ColorSheet(bench, runs, parent))->open();
}

void exportCheckpoint(Workbench& bench, const RunItem& run, const store::CheckpointRow& checkpoint,
                      const QString& format, QWidget* parent) {
    for (const ExportFormat& each : kFormats) {
        if (format != QLatin1String(each.format)) continue;
        const QString name =
            QStringLiteral("%1-step%2.%3").arg(run.name).arg(checkpoint.step).arg(QLatin1String(each.suffix));
        askForFiles(parent,
                    {.kind = FileQuestion::Kind::NewFile,
                     .title = DialogWords::tr(each.title),
                     .filters = {DialogWords::tr(each.filter)},
                     .name = name},
                    [&bench, path = QString::fromStdString(checkpoint.path), format](const ChosenFiles& out) {
                        bench.actions.exportCheckpoint(path, format, out.path());
                    });
    }
}

void exportPoints(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent) {
    if (runs.size() > 1) {
        return askForFiles(parent,
                           {.kind = FileQuestion::Kind::Folder, .title = DialogWords::tr("Folder for the points")},
                           [&bench, runs](const ChosenFiles& folder) {
                               for (const RunItemPtr& run : runs)
                                   bench.actions.exportCsv(
                                       run->id, QStringLiteral("%1/%2-%3.csv").arg(folder.path(), run->name, run->id));
                           });
    }
    askForFiles(parent,
                {.kind = FileQuestion::Kind::NewFile,
                 .title = DialogWords::tr("Export points"),
                 .filters = {DialogWords::tr("CSV (*.csv)")},
                 .name = runs.front()->name + QStringLiteral(".csv")},
                [&bench, id = runs.front()->id](const ChosenFiles& out) { bench.actions.exportCsv(id, out.path()); });
}

void exportEvents(Workbench& bench, const RunItem& run, QWidget* parent) {
    askForFiles(parent, {.kind = FileQuestion::Kind::Folder, .title = DialogWords::tr("Folder for the event file")},
                [&bench, id = run.id](const ChosenFiles& out) { bench.actions.exportTensorBoard(id, out.path()); });
}

} // namespace trainyard::ui
