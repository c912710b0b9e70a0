// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_menu.h"

#include <QMenu>

namespace trainyard::ui {

namespace {

void popUp(std::initializer_list<const char*> ids, const ActionTarget& run, const QPoint& globalPosition) {
    auto* menu = new QMenu(run.parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu, ids, run);
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
           "continue",
           "resume",
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
           "copy-id",
           "open-folder",
           "",
           "export-safetensors",
           "export-state-dict",
           "export-torchscript",
           "export-csv",
           "export-tensorboard",
           "",
           "archive"},
          run, globalPosition);
}

void showCheckpointMenu(const ActionTarget& run, const QPoint& globalPosition) {
    if (!run.checkpoint) return popUp({"export-csv", "export-tensorboard"}, run, globalPosition);
    popUp({"show-samples", "fork", "pin-checkpoint", "unpin-checkpoint", "reveal-checkpoint", "", "export-safetensors",
           "export-state-dict", "export-torchscript", "", "export-csv", "export-tensorboard"},
          run, globalPosition);
}

} // namespace trainyard::ui
