// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/desktop_notice.h"
#include "ui/models/workbench.h"

#include <set>

namespace trainyard::ui {

// Desktop notices that a run or sweep has ended, with its result, while another window is in front; a click opens it.
// Trials are covered by the notice of their sweep.
class RunNotices : public QObject {
    Q_OBJECT
public:
    RunNotices(Workbench& bench, QWidget* window);

Q_SIGNALS:
    void runOpened(const QString& run);
    void sweepOpened(const QString& sweep);

private:
    void tellRun(const QString& id);
    void tellSweeps();
    void tell(const QString& name, const QString& result, const QString& what);

    Workbench& m_bench;
    QWidget* m_window;
    DesktopNotices m_notices;
    std::set<std::string> m_activeSweeps; // by id
};

// "Finished · best val/accuracy 0.94 · in 3:12", or the cause of a failure.
QString resultText(const RunItem& run);

} // namespace trainyard::ui
