// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QStackedLayout;

namespace trainyard::ui {

class DifferenceList;
class EmptyState;
class InspectorSection;
class RunHeader;
class WorkerList;

// The current run in full: progress and stop, what differs, checkpoints, test, workers, last values, tags.
class Inspector : public Surface {
    Q_OBJECT
public:
    explicit Inspector(Workbench& bench, QWidget* parent = nullptr);

private:
    void build();
    void buildNotes();
    void buildOrigin();
    void showRun();
    void showLive(const QString& run);
    void showCheckpoints();
    QString checkpointNote(const std::vector<store::CheckpointRow>& rows) const;
    void showTests(const RunItem& run);
    QStringList titlesOf(const QList<Difference>& differences, const RunItem& run) const;
    void showDifferences(const RunItem& run);
    void showValues(const RunItem& run);
    void showTags(const RunItem& run);
    void showNotes(const RunItem& run);
    void showOrigin(const RunItem& run);
    void exportMenu(const store::CheckpointRow* checkpoint, const QPoint& at);

    Workbench& m_bench;
    RunItemPtr m_run;
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    RunHeader* m_header;
    InspectorSection *m_originSection, *m_differsSection, *m_checkpointsSection, *m_testsSection, *m_workersSection,
        *m_valuesSection, *m_tagsSection, *m_notesSection;
    DifferenceList* m_differences;
    QWidget* m_checkpointRows;
    PairList* m_tests;
    QString m_testsShown; // the run and its status, whose file was read
    WorkerList* m_workers;
    PairList* m_values;
    QHBoxLayout* m_tags;
    Label* m_notes;
    QPushButton *m_editNotes, *m_parent;
    QString m_tagsShown;
    QTimer m_valuesTimer;
};

} // namespace trainyard::ui
