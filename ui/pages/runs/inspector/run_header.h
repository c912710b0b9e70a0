// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class ColorChip;
class RunControls;
class RunProgress;
class StatusChip;

// The top of the inspector: the run's name, its progress and its buttons.
class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(Workbench& bench, QWidget* parent = nullptr);
    void setRun(const RunItemPtr& run);
    // Updates the live state.
    void refresh();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QString afterwards(const RunItem& run, wire::RunStatus status) const;
    int room() const; // visible pixels between the margins
    void showName(const RunItem& run);

    Workbench& m_bench;
    RunItemPtr m_run;
    Label *m_name, *m_about, *m_after;
    ColorChip* m_color;
    StatusChip* m_chip;
    RunProgress* m_progress;
    RunControls* m_controls;
};

} // namespace trainyard::ui
