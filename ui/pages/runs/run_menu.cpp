// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_menu.h"

#include "ui/forms/param_field.h"
#include "ui/theme/icon.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QUrl>

namespace trainyard::ui {

namespace {
QString words(const char* text) { return QCoreApplication::translate("RunMenu", text); }

QString askFile(QWidget* parent, const QString& title, const QString& name, const QString& filter) {
    return QFileDialog::getSaveFileName(parent, title, name, filter);
}
} // namespace

void addExportEntries(QMenu& menu, Workbench& bench, const RunItem& run, const store::CheckpointRow* checkpoint,
                      QWidget* parent) {
    if (checkpoint) {
        const QString path = QString::fromStdString(checkpoint->path);
        const QString base = QStringLiteral("%1-step%2").arg(run.name).arg(checkpoint->step);
        menu.addAction(
            icon(QStringLiteral("export")), words("Export safetensors…"), parent, [&bench, path, base, parent] {
                const QString out = askFile(parent, words("Export safetensors"), base + QStringLiteral(".safetensors"),
                                            words("safetensors (*.safetensors)"));
                if (!out.isEmpty()) bench.actions.exportCheckpoint(path, QStringLiteral("safetensors"), out);
            });
        menu.addAction(words("Export state dict for PyTorch…"), parent, [&bench, path, base, parent] {
            const QString out = askFile(parent, words("Export state dict"), base + QStringLiteral(".pt"),
                                        words("PyTorch state dict (*.pt)"));
            if (!out.isEmpty()) bench.actions.exportCheckpoint(path, QStringLiteral("state-dict"), out);
        });
        menu.addAction(words("Export TorchScript…"), parent, [&bench, path, base, parent] {
            const QString out = askFile(parent, words("Export TorchScript"), base + QStringLiteral(".torchscript.pt"),
                                        words("TorchScript (*.pt)"));
            if (!out.isEmpty()) bench.actions.exportCheckpoint(path, QStringLiteral("torchscript"), out);
        });
    }
    menu.addAction(words("Export all points as CSV…"), parent, [&bench, id = run.id, name = run.name, parent] {
        const QString out =
            askFile(parent, words("Export points"), name + QStringLiteral(".csv"), words("CSV (*.csv)"));
        if (!out.isEmpty()) bench.actions.exportCsv(id, out);
    });
    menu.addAction(words("Export for TensorBoard…"), parent, [&bench, id = run.id, parent] {
        const QString out = QFileDialog::getExistingDirectory(parent, words("Folder for the event file"));
        if (!out.isEmpty()) bench.actions.exportTensorBoard(id, out);
    });
}

namespace {

// Opened, not executed: no event loop in the event loop.
QInputDialog* dialogFor(QWidget* parent, const QString& title, const QString& label) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    return dialog;
}

int mostWorkers(const RunItem& run) { return run.settings.value(QStringLiteral("scaling.elastic.max")).toInt(); }

void addControlEntries(QMenu& menu, Workbench& bench, const RunItem& run, QWidget* parent) {
    const QString id = run.id;
    const bool paused = bench.feed.status(run) == wire::RunStatus::Paused;
    menu.addAction(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")),
                   paused ? words("Go on") : words("Pause"), &bench, [&bench, id, paused] {
                       bench.actions.command(id, paused ? wire::CommandKind::Unpause : wire::CommandKind::Pause);
                   });
    menu.addAction(icon(QStringLiteral("disk")), words("Save a checkpoint now"), &bench,
                   [&bench, id] { bench.actions.command(id, wire::CommandKind::Checkpoint); });
    menu.addAction(icon(QStringLiteral("sliders")), words("Change the learning rate…"), parent, [&bench, id, parent] {
        if (const RunItemPtr now = bench.feed.run(id)) askForRate(bench, *now, parent);
    });
    if (mostWorkers(run) > 1) {
        menu.addAction(icon(QStringLiteral("group")), words("Change the number of workers…"), parent,
                       [&bench, id, parent] {
                           if (const RunItemPtr now = bench.feed.run(id)) askForWorkers(bench, *now, parent);
                       });
    }
    menu.addSeparator();
}

} // namespace

void askForMoreEpochs(Workbench& bench, const RunItem& run, QWidget* parent) {
    auto* dialog = dialogFor(parent, words("Continue"), words("Epochs that %1 is to go on for:").arg(run.name));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(1, 1'000'000);
    dialog->setIntValue(5);
    dialog->setOkButtonText(words("Continue"));
    QObject::connect(dialog, &QInputDialog::intValueSelected, &bench,
                     [&bench, id = run.id](int epochs) { bench.actions.resume(id, epochs); });
    dialog->open();
}

void askForRate(Workbench& bench, const RunItem& run, QWidget* parent) {
    auto* dialog =
        dialogFor(parent, words("Learning rate"),
                  words("Learning rate of %1 from the next step on; its schedule goes on from there:").arg(run.name));
    const auto* rate = run.find("lr");
    dialog->setTextValue(rate && rate->count > 0 ? QString::number(rate->last, 'g', 6)
                                                 : run.settings.value(QStringLiteral("optimizer.lr")));
    dialog->setOkButtonText(words("Change"));
    QObject::connect(dialog, &QInputDialog::textValueSelected, &bench, [&bench, id = run.id](const QString& text) {
        const auto value = readNumber(text);
        if (value) bench.actions.command(id, wire::CommandKind::SetRate, *value);
        else Q_EMIT bench.actions.failed(words("The learning rate was not changed"), value.error());
    });
    dialog->open();
}

void askForWorkers(Workbench& bench, const RunItem& run, QWidget* parent) {
    const int least = run.settings.value(QStringLiteral("scaling.elastic.min")).toInt(), most = mostWorkers(run);
    auto* dialog = dialogFor(
        parent, words("Workers"),
        words("Workers of %1 from the next step on, %2 to %3; no step is lost:").arg(run.name).arg(least).arg(most));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(least, most);
    dialog->setIntValue(run.workers);
    dialog->setOkButtonText(words("Change"));
    QObject::connect(dialog, &QInputDialog::intValueSelected, &bench, [&bench, id = run.id](int workers) {
        bench.actions.command(id, wire::CommandKind::Resize, workers);
    });
    dialog->open();
}

void editTags(Workbench& bench, const RunItem& run, QWidget* parent) {
    bool ok = false;
    const QString tags =
        QInputDialog::getText(parent, words("Tags"), words("Tags of %1, separated by spaces:").arg(run.name),
                              QLineEdit::Normal, run.tags.join(QLatin1Char(' ')), &ok);
    if (ok) bench.actions.setTags(run.id, tags.simplified());
}

void showRunMenu(Workbench& bench, const RunItem& run, QWidget* parent, const QPoint& globalPosition,
                 std::function<void()> rename) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString id = run.id;
    if (run.active()) {
        addControlEntries(*menu, bench, run, parent);
        menu->addAction(icon(QStringLiteral("stop")), words("Stop and save"), &bench,
                        [&bench, id] { bench.actions.stop(id, wire::StopMode::SaveAndStop); });
        menu->addAction(words("Stop now"), &bench, [&bench, id] { bench.actions.stop(id, wire::StopMode::StopNow); });
    } else {
        const bool done = run.status == wire::RunStatus::Finished;
        menu->addAction(icon(QStringLiteral("play")), done ? words("Continue…") : words("Resume"), parent,
                        [&bench, id, done, parent] {
                            if (!done) return bench.actions.resume(id, 0);
                            if (const RunItemPtr now = bench.feed.run(id)) askForMoreEpochs(bench, *now, parent);
                        });
    }
    menu->addAction(icon(QStringLiteral("fork")), words("Fork…"), &bench,
                    [&bench, id] { Q_EMIT bench.forkRequested(id, -1); });
    menu->addSeparator();
    menu->addAction(icon(QStringLiteral("edit")), words("Rename\tF2"), parent, std::move(rename));
    menu->addAction(icon(QStringLiteral("tag")), words("Tags…"), parent, [&bench, id, parent] {
        if (const RunItemPtr now = bench.feed.run(id)) editTags(bench, *now, parent);
    });
    menu->addAction(icon(QStringLiteral("copy")), words("Copy id"), parent,
                    [id] { QApplication::clipboard()->setText(id); });
    menu->addAction(icon(QStringLiteral("folder")), words("Open folder"), parent, [folder = run.row.folder] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(folder)));
    });
    menu->addSeparator();
    addExportEntries(*menu, bench, run, store::defaultCheckpoint(bench.feed.checkpoints(id)), parent);
    menu->addSeparator();
    auto* archive = menu->addAction(icon(QStringLiteral("archive")), words("Archive\tDel"), &bench,
                                    [&bench, id] { bench.actions.setArchived(id, true); });
    archive->setEnabled(!run.active());
    menu->popup(globalPosition);
}

} // namespace trainyard::ui
