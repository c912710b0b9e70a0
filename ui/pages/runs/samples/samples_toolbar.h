// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/evaluation_choice.h"
#include "ui/pages/runs/samples/sample_trial.h"

class QComboBox;
class QPushButton;

namespace trainyard::ui {

class SegmentedControl;

// A checkpoint as it is offered; without a file: none.
struct OtherCheckpoint {
    QString file, title;
    QString name; // in fewer words
};

// What the Samples tab looks at: a checkpoint, a part of the dataset, a second checkpoint beside it; and "Evaluate".
class SamplesToolbar : public QWidget {
    Q_OBJECT
public:
    explicit SamplesToolbar(QWidget* parent = nullptr);

    // The checkpoints of the run; `validated`: the newest validation can be looked at, too. What was chosen stays as
    // long as it is there, else the newest validation or the best checkpoint is.
    void setCheckpoints(const std::vector<store::CheckpointRow>& rows, const QString& scoreSeries, bool validated,
                        const QList<OtherCheckpoint>& others);
    void setChoice(const EvaluationChoice& choice);
    const EvaluationChoice& choice() const { return m_choice; }
    AskedModel second() const; // without a file: none
    // While it runs the button cancels it. Without a checkpoint it cannot be started.
    void setEvaluating(bool running, bool possible);
    // Whether the run's data has test samples; where it has none, the tip says how to get some.
    void setHasTest(bool has);
    // Another run: nothing is chosen.
    void reset();

Q_SIGNALS:
    void choiceChanged();
    void secondChanged();
    void evaluateRequested(); // or that it be cancelled

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose();
    void fitWidth();

    EvaluationChoice m_choice;
    bool m_evaluating = false;
    bool m_chosen = false; // by a person: what is shown is no default
    QComboBox *m_checkpoint, *m_second;
    SegmentedControl* m_part;
    QPushButton* m_evaluate;
};

} // namespace trainyard::ui
