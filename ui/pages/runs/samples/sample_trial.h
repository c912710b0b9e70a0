// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/actions/answer_process.h"
#include "ui/models/samples/asked_sample.h"
#include "ui/models/samples/prediction.h"
#include "ui/widgets/card.h"

#include <QTemporaryDir>

#include <array>

class QMimeData;
class QToolButton;
class QVBoxLayout;

namespace trainyard::ui {

class DropZone;
class Label;
class NumberLabel;
class PredictionBars;
class UnitEdit;

// A checkpoint to predict with, and its name in the window; without a file: none.
struct AskedModel {
    QString file, title;
    bool operator==(const AskedModel&) const = default;
};

// "Try a sample": an image, a row, a text or a sample of the dataset, with the predictions of one or two checkpoints. A
// new checkpoint predicts the last sample again.
class SampleTrial : public Card {
    Q_OBJECT
public:
    explicit SampleTrial(AnswerProcess& worker, QWidget* parent = nullptr);

    void setModels(const AskedModel& first, const AskedModel& second);
    // The model's task, if known: it decides how typed words are read.
    void setTask(std::optional<spec::TaskKind> task);
    void ask(const AskedSample& sample);
    // Clears the sample, as for another run.
    void clear();
    // Uses dropped or pasted data.
    void take(const QMimeData& given);
    void paste();
    void choose();
    // Shows that droppable data is over the tab.
    void setInviting(bool inviting);
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void take(const Result<AskedSample>& sample);
    void askModels();
    void askModel(std::size_t which);
    void buildRowLine(QVBoxLayout* layout);
    void answered(std::size_t which, Result<WorkerAnswer> answer);
    // Shows one row of a table at a time.
    void showRow(int row);
    void askPicture();
    void showAnswers();
    void arrange();
    void fail(const QString& why);

    AnswerProcess& m_worker;
    QTemporaryDir m_pasted; // images from the clipboard
    std::array<AskedModel, 2> m_models;
    std::array<QJsonObject, 2> m_told; // complete answers, one per model
    std::array<std::optional<Prediction>, 2> m_predictions;
    int m_row = 0; // of the sample's rows
    std::optional<AskedSample> m_sample;
    std::optional<spec::TaskKind> m_task;
    int m_question = 0; // answers to earlier questions are dropped
    DropZone* m_zone;
    PredictionBars* m_bars;
    QWidget* m_rowLine;
    NumberLabel* m_rowWords;
    QToolButton *m_previous, *m_next;
    UnitEdit* m_edit;
    Label* m_error;
};

} // namespace trainyard::ui
