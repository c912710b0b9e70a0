// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/evaluation_choice.h"
#include "ui/pages/runs/samples/sample_trial.h"

class QComboBox;
class QPushButton;

namespace trainyard::ui {

class SegmentedControl;

// A checkpoint to choose; without a file: none.
struct OtherCheckpoint {
    QString file, title;
    QString name; // short name
};

// The choices of the Samples tab: a checkpoint, a part of the dataset, a second checkpoint to compare; and "Evaluate".
class SamplesToolbar : public QWidget {
    Q_OBJECT
public:
    explicit SamplesToolbar(QWidget* parent = nullptr);

    // Sets the run's checkpoints; `validated`: the newest validation can be shown, too. Keeps the choice while it
    // exists, else chooses the newest validation or the best checkpoint.
    void setCheckpoints(const std::vector<store::CheckpointRow>& rows, const QString& scoreSeries, bool validated,
                        const QList<OtherCheckpoint>& others);
    void setChoice(const EvaluationChoice& choice);
    const EvaluationChoice& choice() const { return m_choice; }
    AskedModel second() const; // without a file: none
    // While an evaluation runs, the button cancels it. Without a checkpoint, none can be started.
    void setEvaluating(bool running, bool possible);
    // Whether the run's data has test samples; if not, the tooltip says how to get some.
    void setHasTest(bool has);
    // Clears the choice, for another run.
    void reset();

Q_SIGNALS:
    void choiceChanged();
    void secondChanged();
    void evaluateRequested(); // or its cancellation requested

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose();
    void fitWidth();

    EvaluationChoice m_choice;
    bool m_evaluating = false;
    bool m_chosen = false; // by the user: not the default
    QComboBox *m_checkpoint, *m_second;
    SegmentedControl* m_part;
    QPushButton* m_evaluate;
};

} // namespace trainyard::ui
