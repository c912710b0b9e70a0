// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/actions/answer_process.h"
#include "ui/models/samples/prediction.h"
#include "ui/pages/shared/sample_card.h"

#include <array>

class QToolButton;

namespace trainyard::ui {

class NumberLabel;

// A checkpoint to predict with, and its name in the window; without a file: none.
struct AskedModel {
    QString file, title;
    bool operator==(const AskedModel&) const = default;
};

// "Try a sample": an image, a row, a text or a sample of the dataset, with the predictions of one or two checkpoints. A
// new checkpoint predicts the last sample again.
class SampleTrial : public SampleCard {
    Q_OBJECT
public:
    explicit SampleTrial(AnswerProcess& worker, QWidget* parent = nullptr);

    void setModels(const AskedModel& first, const AskedModel& second);
    // The model's task, if known: it decides how typed words are read.
    void setTask(std::optional<spec::TaskKind> task);
    void ask(const AskedSample& sample);
    // Clears the sample, as for another run.
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;
    std::optional<spec::TaskKind> task() const override { return m_task; }
    void takeSample(const Result<AskedSample>& sample) override;

private:
    void askModels();
    void askModel(std::size_t which);
    void buildRowLine();
    void answered(std::size_t which, Result<WorkerAnswer> answer);
    // Shows one row of a table at a time.
    void showRow(int row);
    void askPicture();
    void showAnswers();
    void arrange();

    AnswerProcess& m_worker;
    std::array<AskedModel, 2> m_models;
    std::array<QJsonObject, 2> m_told; // complete answers, one per model
    std::array<std::optional<Prediction>, 2> m_predictions;
    int m_row = 0; // of the sample's rows
    std::optional<AskedSample> m_sample;
    std::optional<spec::TaskKind> m_task;
    int m_question = 0; // answers to earlier questions are dropped
    QWidget* m_rowLine;
    NumberLabel* m_rowWords;
    QToolButton *m_previous, *m_next;
};

} // namespace trainyard::ui
