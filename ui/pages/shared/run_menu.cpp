// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/run_menu.h"

#include "ui/theme/icon.h"

#include <QCoreApplication>
#include <QMenu>

namespace trainyard::ui {

namespace {

void popUp(std::initializer_list<const char*> ids, const ActionTarget& run, const QPoint& globalPosition,
           std::initializer_list<const char*> last = {}) {
    auto* menu = new QMenu(run.parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu, ids, run);
    if (last.size() > 0) {
        auto* copy = menu->addMenu(icon(QStringLiteral("copy")), QCoreApplication::translate("RunMenu", "Copy as"));
        addActions(*copy, {"copy-command", "copy-run-file", "copy-cpp", "copy-python", "copy-id"}, run);
        copy->menuAction()->setVisible(!copy->isEmpty());
        addActions(*menu, last, run);
    }
    menu->popup(globalPosition);
}

} // namespace

void showRunMenu(const ActionTarget& run, const QPoint& globalPosition) {
    popUp({"pause",
           "unpause",
           "save-checkpoint",
           "set-learning-rate",
           "change-workers",
           "rehearse-loss",
           "",
           "stop",
           "stop-now",
           "kill",
           "fetch",
           "continue",
           "resume",
           "resume-with",
           "start-again",
           "fork",
           "run-again",
           "lineage",
           "measure-scaling",
           "",
           "show-samples",
           "",
           "rename",
           "tags",
           "notes",
           "color",
           "open-folder",
           "forget-away"},
          run, globalPosition,
          {"", "report", "export-safetensors", "export-state-dict", "export-torchscript", "export-csv",
           "export-tensorboard", "export-bundle", "", "archive"});
}

void showCheckpointMenu(const ActionTarget& run, const QPoint& globalPosition) {
    if (!run.checkpoint) return popUp({"export-csv", "export-tensorboard"}, run, globalPosition);
    popUp({"fetch-checkpoint", "show-samples", "fork", "pin-checkpoint", "unpin-checkpoint", "reveal-checkpoint", "",
           "export-safetensors", "export-state-dict", "export-torchscript", "", "export-csv", "export-tensorboard"},
          run, globalPosition);
}

} // namespace trainyard::ui
