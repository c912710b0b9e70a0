// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QStackedLayout;

namespace trainyard::ui {

class EmptyState;
class RunHeader;
class RunSection;

// The current run in full: progress and stop, then the sections.
class Inspector : public Surface {
    Q_OBJECT
public:
    explicit Inspector(Workbench& bench, QWidget* parent = nullptr);

private:
    void build();
    void showRun();

    Workbench& m_bench;
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    RunHeader* m_header;
    QList<RunSection*> m_sections;
};

} // namespace trainyard::ui
