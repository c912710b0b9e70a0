// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

#include <vector>

namespace trainyard::ui {

class Label;

// Asks how to stop programs, which save when they like: at once, or at their next checkpoint, which loses nothing. The
// numbers follow the runs (run::stopCost). It closes by itself once all have ended, and deletes itself when closed.
class StopSheet : public Sheet {
    Q_OBJECT
public:
    StopSheet(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);

    QPushButton* atCheckpoint() const { return m_atCheckpoint; }
    QPushButton* now() const { return m_now; }
    QString words() const;

private:
    void build();
    QWidget* buildFooter();
    void refresh();
    QString costText() const;
    void stop(wire::StopMode mode);

    Workbench& m_bench;
    std::vector<RunItemPtr> m_runs;
    Label *m_words, *m_after;
    QPushButton *m_cancel, *m_now, *m_atCheckpoint;
};

// Stops runs as "Stop" does: a training of the catalog saves and stops; about programs it asks.
void stopOrAsk(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);

} // namespace trainyard::ui
