// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QWidget>

namespace trainyard::ui {

class Banner;

// The problem of the current run, and its one fix: the run failed, was interrupted, or its supervisor reports a
// problem. Hidden when all is well.
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
    std::optional<run::DiskForecast> m_disk; // of the current run, at the last check
    QString m_shown;                         // key of the shown message: an equal one is not rebuilt
    QString m_dismissed;
};

} // namespace trainyard::ui
