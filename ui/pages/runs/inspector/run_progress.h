// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/feed/workspace_feed.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class ProgressLine;

// A run's progress, its speed, and its remaining or total time.
class RunProgress : public QWidget {
    Q_OBJECT
public:
    // `feed` outlives it.
    explicit RunProgress(const WorkspaceFeed& feed, QWidget* parent = nullptr);
    void setRun(const RunItem& run, wire::RunStatus status);

private:
    const WorkspaceFeed& m_feed;
    Label *m_percent, *m_epoch, *m_eta;
    ProgressLine* m_bar;
    NumberLabel *m_step, *m_throughput;
};

} // namespace trainyard::ui
