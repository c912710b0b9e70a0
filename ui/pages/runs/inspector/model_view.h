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

    bool isOfHost() const; // the run lives on a host

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
    CheckpointTable m_checkpoints;
    TensorTable m_tensors;
    QTableView *m_checkpointView, *m_tensorView;
    Card *m_checkpointCard, *m_tensorCard;
    QWidget *m_empty, *m_away, *m_there; // m_there: the chosen checkpoint is only on its host
    UnitEdit* m_filter;
    QToolButton* m_export;
    QPushButton *m_samples, *m_fetch;
    QString m_loadedPath;
};

} // namespace trainyard::ui
