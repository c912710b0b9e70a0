// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class ColorChip;
class RunControls;
class RunProgress;
class StatusChip;

// The top of the inspector: whose run it is, how far it is, and what can be done with it.
class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(Workbench& bench, QWidget* parent = nullptr);
    void setRun(const RunItemPtr& run);
    // Shows the live state anew.
    void refresh();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QString afterwards(const RunItem& run, wire::RunStatus status) const;
    int room() const; // pixels between the margins that are seen
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
