// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QStringList>

#include <optional>

class QMenu;
class QWidget;

namespace trainyard::ui {

// Folders of recently opened workspaces, latest first, without deleted ones.
QStringList recentWorkspaces();
void rememberWorkspace(const QString& folder);

// Opens another workspace: brings its window to the front, or starts one.
void openWorkspaceIn(const QString& folder);
// Asks for a folder, then opens it.
void askForOtherWorkspace(QWidget* parent);
// One entry for each recent workspace except `current`.
void addRecentWorkspaces(QMenu& menu, const QString& current);

// Shows why the workspace in `folder` cannot be opened. Returns the folder that the user chose instead; nothing: end
// the program.
std::optional<QString> askInsteadOf(const QString& folder, const Error& error);

} // namespace trainyard::ui
