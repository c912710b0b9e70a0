// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/judge/slot_count.h"
#include "ui/forms/run_form.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/models/new_run/preview.h"
#include "ui/models/workbench.h"

namespace trainyard::ui {

class Card;
class StatusChip;
class SweepCards;

// One line of "Will it run?".
struct RunCheck {
    enum State { Ok, Wait, Wrong, Unknown };
    State state = Ok;
    QString name, detail;
};

// The right side of the New run sheet: what the form would train, live.
class PreviewPane : public QWidget {
    Q_OBJECT
public:
    explicit PreviewPane(Workbench& bench, QWidget* parent = nullptr);

    // Shows what the form alone tells, at once; the worker's part follows by setPreview() or setRefused(). Between
    // setBusy() and either, what an earlier question showed is greyed and no verdict is given.
    void setState(const RunForm::State& state);
    void setPreview(const Preview& preview);
    void setRefused(const QString& why);
    void setBusy();
    // The share of the run's length that the checkpoint it begins with has behind it; 0: it begins anew. Shown with the
    // next setState().
    void setDone(double share) { m_done = share; }

    // Why the checkpoint that the run would begin with does not fit; empty: it fits, or is not known yet.
    QString misfit() const;

Q_SIGNALS:
    void swapRequested();
    void newWeightsRequested(); // instead of the checkpoint

private:
    class Canvas;
    void build();
    void buildDrawings();
    void buildRateEmpty();
    void buildTexts();
    void refresh();
    void showSweep();
    QString ratesNote() const;
    void showBatch();
    void showCost();
    void showChecks();
    void fitChecks();
    QString checkTip(const QPointF& at) const;
    double estimatedSeconds() const;
    QList<RunCheck> checks() const;
    bool trainsHere() const;
    QString unknownYet() const;
    void checkData(QList<RunCheck>& list) const;
    RunCheck checkOfMemory() const;
    RunCheck checkOfDisk() const;
    RunCheck checkOfDevices() const;
    RunCheck checkOfPorts() const;
    QString hostsWords() const;
    const Preview* current() const { return m_preview && !m_busy ? &*m_preview : nullptr; } // of the run as it stands
    void showNotes();

    Workbench& m_bench;
    RunForm::State m_state;
    std::optional<Preview> m_preview;
    QString m_refused;
    bool m_busy = false;
    double m_done = 0;
    SweepCards* m_sweep;
    HostsCheck* m_hosts;
    sweep::SlotCount m_slots;
    double m_share = 1; // of the whole training of a sweep that its scheduler usually leaves
    Card *m_classesCard, *m_samplesCard, *m_modelCard, *m_lrCard, *m_batchCard, *m_costCard, *m_checkCard;
    Canvas *m_classes, *m_samples, *m_model, *m_lr, *m_checks;
    QWidget* m_rateEmpty;
    Label *m_rateWhat, *m_lrWhy;
    QPushButton* m_swap;
    Label *m_batchLine, *m_batchNote;
    PairList* m_cost;
    StatusChip* m_verdict;
    Label* m_why;   // what the worker refuses, whole
    Label* m_notes; // what it says of the data
    QPushButton* m_newWeights;
};

} // namespace trainyard::ui
