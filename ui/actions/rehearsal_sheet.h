// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/start/rehearse_loss.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QComboBox;

namespace trainyard::ui {

class Checklist;
class Label;

// Asks which worker of a run to kill, as a crash would, and tells how the run recovered, with the second of each step.
// It deletes itself when closed; the result then comes as a message.
class RehearsalSheet : public Sheet {
    Q_OBJECT
public:
    RehearsalSheet(Workbench& bench, const RunItem& run, QWidget* parent);

    QComboBox* rank() const { return m_rank; }
    Checklist* timeline() const { return m_timeline; }
    // Same as the button.
    void go();
    void show(const Result<run::Rehearsal>& rehearsal);

private:
    void build(const RunItem& run);
    QWidget* buildFooter();
    void listRanks(const RunItem& run);
    void showWaiting();
    using QWidget::show;

    Workbench& m_bench;
    QString m_run;
    QComboBox* m_rank;
    Label *m_words, *m_result;
    Checklist* m_timeline;
    QPushButton *m_close, *m_go;
};

} // namespace trainyard::ui
