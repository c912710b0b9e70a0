// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/new_run/run_checks.h"

class QToolButton;

namespace trainyard::ui {

class BatchCard;
class CheckCard;
class CostCard;
class DrawingCard;
class RatesCard;
class SamplesCard;
class SweepCards;

// The right side of the New run sheet: a live preview of the form's run.
class PreviewPane : public QWidget {
    Q_OBJECT
public:
    explicit PreviewPane(Workbench& bench, QWidget* parent = nullptr);

    // Shows the form's own facts at once; the worker's part follows with setPreview() or setRefused(). Between
    // setBusy() and either, earlier results are greyed and there is no verdict.
    void setState(const RunForm::State& state);
    void setPreview(const Preview& preview);
    void setRefused(const QString& why, bool atField); // `atField`: the form shows it as well
    void setBusy();
    // The share of the run's length that its starting checkpoint has already trained; 0: from scratch. Shown with the
    // next setState().
    void setDone(double share) { m_facts.done = share; }

    // The reason that the starting checkpoint does not fit; empty: it fits, or is not known yet.
    QString misfit() const;

Q_SIGNALS:
    void swapRequested();
    void newWeightsRequested(); // instead of the checkpoint
    // Rare classes count for more: they are drawn more often, or weigh more in the loss.
    void balanceRequested(bool byWeights);

private:
    void build();
    void refresh();
    void showSweep();
    void showNotes();
    void fitSamples();

    PreviewFacts m_facts;
    DrawingCard *m_classes, *m_model;
    SamplesCard* m_samples;
    RatesCard* m_rates;
    BatchCard* m_batch;
    CostCard* m_cost;
    CheckCard* m_check;
    SweepCards* m_sweep;
    QToolButton* m_balance;
};

} // namespace trainyard::ui
