// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/run_draft.h"

#include "ui/models/desktop/settings.h"

namespace trainyard::ui {

std::optional<RunDraft> RunDraft::kept(const QString& workspace) {
    const QStringList parts = Settings::runDraft.of(workspace).get();
    if (parts.size() != 3 || parts[0].isEmpty()) return {};
    return RunDraft{parts[0], parts[1], parts[2].toLongLong()};
}

void RunDraft::keep(const QString& workspace) const {
    Settings::runDraft.of(workspace).set({file, origin, QString::number(savedMs)});
}

void RunDraft::forget(const QString& workspace) { Settings::runDraft.of(workspace).forget(); }

} // namespace trainyard::ui
