// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/follow/source_record.h"
#include "ui/pages/runs/inspector/run_sections.h"

#include <QTimer>

namespace trainyard::ui {

// Where the metrics of a program come from: which source feeds its curves, and the lesser ones, each with a switch that
// shows its curves, too. Hidden for other runs.
class SourcesSection : public RunSection {
    Q_OBJECT
public:
    explicit SourcesSection(Workbench& bench);

private:
    void showRun(const RunItem& run) override;
    void read();
    void take(const QString& run, const std::vector<program::SourceSummary>& sources);

    QWidget* m_rows;
    QTimer m_timer;
    QString m_shown; // what the rows were made of
};

} // namespace trainyard::ui
