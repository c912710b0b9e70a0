// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QWidget>

namespace trainyard::ui {

class Banner;

// What is wrong with the current run, and the one fix: failed, interrupted, or told by its supervisor.
// Takes no room when all is well.
class RunBanner : public QWidget {
    Q_OBJECT
public:
    explicit RunBanner(Workbench& bench, QWidget* parent = nullptr);

private:
    void look();
    void refresh();
    void showOutOfReach(const RunItem& run);
    void showFailure(const RunItem& run);
    void showNotContinued(const RunItem& run);
    void goOnWithData(const QString& id);
    void showInterrupted(const RunItem& run);
    void showDisk(const run::DiskForecast& disk);

    Workbench& m_bench;
    Banner* m_banner;
    std::optional<run::DiskForecast> m_disk; // of the current run, when it was last looked at
    QString m_shown;                         // what the banner says, so that it is built once
    QString m_dismissed;
};

} // namespace trainyard::ui
