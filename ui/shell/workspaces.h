// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QStringList>

#include <optional>

class QMenu;
class QWidget;

namespace trainyard::ui {

// Folders of workspaces that were opened, the latest first; those that are gone are left out.
QStringList recentWorkspaces();
void rememberWorkspace(const QString& folder);

// Starts a window for another workspace: the one that is open there comes to the front.
void openWorkspaceIn(const QString& folder);
// Asks for a folder, then does that.
void askForOtherWorkspace(QWidget* parent);
// One entry for each recent workspace but `current`.
void addRecentWorkspaces(QMenu& menu, const QString& current);

// A window that says why the workspace in `folder` cannot be opened. Returns the folder of another one, which the user
// chose there; nothing: the program is to end.
std::optional<QString> askInsteadOf(const QString& folder, const Error& error);

} // namespace trainyard::ui
