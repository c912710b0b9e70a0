// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/run_menu.h"

#include "ui/theme/icon.h"

#include <QCoreApplication>
#include <QMenu>

namespace trainyard::ui {

namespace {

struct MenuPart {
    Q_DECLARE_TR_FUNCTIONS(RunMenu)
};

QMenu* newMenu(const ActionTarget& run) {
    auto* menu = new QMenu(run.parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

// A submenu of what is possible of these actions; none without one.
void addPart(QMenu& menu, const QString& iconName, const QString& title, std::initializer_list<const char*> ids,
             const ActionTarget& run) {
    QMenu* part = menu.addMenu(icon(iconName), title);
    addActions(*part, ids, run);
    part->menuAction()->setVisible(!part->isEmpty());
}

} // namespace

void showRunMenu(const ActionTarget& run, const QPoint& globalPosition) {
    QMenu* menu = newMenu(run);
    addActions(*menu,
               {"pause", "unpause", "stop", "continue", "resume", "resume-with", "start-again", "fetch", "", "fork",
                "run-again", "measure-scaling", "serve", ""},
               run);
    addPart(*menu, QStringLiteral("sliders"), MenuPart::tr("While it trains"),
            {"save-checkpoint", "set-learning-rate", "change-workers", "rehearse-loss", "stacks", "",
             "stop-at-checkpoint", "stop-now", "kill"},
            run);
    addPart(*menu, QStringLiteral("eye"), MenuPart::tr("Show"), {"show-samples", "lineage", "open-folder"}, run);
    addPart(*menu, QStringLiteral("tag"), MenuPart::tr("Name and tags"), {"rename", "tags", "notes", "color"}, run);
    addPart(*menu, QStringLiteral("export"), MenuPart::tr("Export"),
            {"report", "", "export-safetensors", "export-state-dict", "export-torchscript", "", "export-csv",
             "export-tensorboard", "export-bundle"},
            run);
    addPart(*menu, QStringLiteral("copy"), MenuPart::tr("Copy as"),
            {"copy-command", "copy-run-file", "copy-cpp", "copy-python", "copy-id"}, run);
    addActions(*menu, {"", "forget-away", "archive"}, run);
    menu->popup(globalPosition);
}

void showCheckpointMenu(const ActionTarget& run, const QPoint& globalPosition) {
    QMenu* menu = newMenu(run);
    if (!run.checkpoint) addActions(*menu, {"export-csv", "export-tensorboard"}, run);
    else
        addActions(*menu,
                   {"resume-from", "fetch-checkpoint", "show-samples", "fork", "serve", "pin-checkpoint",
                    "unpin-checkpoint", "reveal-checkpoint", "", "export-safetensors", "export-state-dict",
                    "export-torchscript", "", "export-csv", "export-tensorboard"},
                   run);
    menu->popup(globalPosition);
}

} // namespace trainyard::ui
