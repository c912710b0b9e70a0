// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/inspector/inspector_sections.h"

namespace trainyard::ui {

// A block of the inspector about the current run. Each block updates itself.
class RunSection : public InspectorSection {
public:
    RunSection(Workbench& bench, const QString& title) : InspectorSection(title), m_bench(bench) {}
    // Called with the current run whenever it or the run selected beside it changes; null: there is none.
    virtual void setRun(const RunItemPtr& run);

protected:
    virtual void showRun(const RunItem& run) = 0;
    bool isOf(const QString& run) const { return m_run && run == m_run->id; }

    Workbench& m_bench;
    RunItemPtr m_run;
};

// All of them, in their order.
QList<RunSection*> inspectorSections(Workbench& bench);

} // namespace trainyard::ui
