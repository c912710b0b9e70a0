// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard::ui {

// Settings from the New run sheet that were not started. Each workspace keeps one.
struct RunDraft {
    QString file;       // text of a run or sweep file
    QString origin;     // the run that it forks; empty: none
    qint64 savedMs = 0; // since 1970

    static std::optional<RunDraft> kept(const QString& workspace);
    void keep(const QString& workspace) const;
    static void forget(const QString& workspace);
};

} // namespace trainyard::ui
