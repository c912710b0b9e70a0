// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/checkpoints/tensor_table.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QTableView;

namespace trainyard::ui {

class Card;
class UnitEdit;

// The checkpoints of the current run over the parameters of the chosen one.
class ModelView : public QWidget {
    Q_OBJECT
public:
    explicit ModelView(Workbench& bench, QWidget* parent = nullptr);

    bool isOfProgram() const; // whether the run is that of a program
    bool isOfHost() const;    // the run lives on a host

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void connectParts();
    QPushButton* checkpointButton(const char* id, const QString& text);
    void showPlace(const RunItemPtr& run);
    void showRun();
    void showCheckpoints();
    void choose(int row);
    void loadTensors(const store::CheckpointRow& checkpoint);

    Workbench& m_bench;
    QString m_run;
    bool m_isChosen = false; // by the user: not the first, which is shown while nothing else is asked for
    bool m_isFilling = false;
    CheckpointTable m_checkpoints;
    TensorTable m_tensors;
    QTableView *m_checkpointView, *m_tensorView;
    Card *m_checkpointCard, *m_tensorCard;
    // m_none: of a program, m_there: the chosen checkpoint is only on its host
    QWidget *m_empty, *m_none, *m_away, *m_there;
    UnitEdit* m_filter;
    QToolButton* m_export;
    QPushButton *m_samples, *m_fetch;
    QString m_loadedPath; // and step
};

} // namespace trainyard::ui
