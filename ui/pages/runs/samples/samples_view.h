// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/actions/answer_process.h"
#include "ui/models/samples/evaluation_choice.h"
#include "ui/models/samples/evaluation_watch.h"
#include "ui/models/workbench.h"
#include "ui/plots/chart/confusion_table.h"

class QScrollArea;
class QVBoxLayout;

namespace trainyard::ui {

class Banner;
class Card;
class ClassScores;
class ConfusionCard;
class CurvesCard;
class EmptyPage;
class SampleGallery;
class SampleTrial;
class SamplesToolbar;

// The samples of the current run: confusion table, scores of each class, mistakes, and predictions for a sample of the
// user. The table follows a training run, validation by validation.
class SamplesView : public QWidget {
    Q_OBJECT
public:
    explicit SamplesView(Workbench& bench, QWidget* parent = nullptr);
    ~SamplesView() override;

    // Shows one checkpoint of the current run.
    void showCheckpoint(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void buildRows(QVBoxLayout* layout);
    void listen();
    void showRun();
    void refresh();
    void refreshCheckpoints(const RunItem& run);
    bool mayHaveTest(const RunItem& run) const;
    void showEvaluation(const run::Evaluation& evaluation);
    void showNothingMeasured();
    void showEmpty(const QString& what, const QString& why);
    void showMetrics(const run::Evaluation& evaluation);
    void showGallery(const run::Evaluation& evaluation);
    void showModels();
    void setLive();
    void choosePlace(std::optional<ConfusionCell> cell, int number);
    // Evaluates the chosen checkpoint, or cancels the evaluation.
    void evaluate();
    void evaluated(const EvaluationChoice& choice, Result<WorkerAnswer> answer);
    const run::Evaluation* evaluation() const;

    Workbench& m_bench;
    AnswerProcess m_answers{this};  // predictions and samples
    AnswerProcess m_measurer{this}; // evaluations, which take long and may be cancelled
    EvaluationWatch m_file;
    AskedEvaluations m_asked;
    QString m_run;
    std::optional<ConfusionCell> m_cell; // the gallery shows this cell, else a class, else the most wrong samples
    int m_class = -1;

    SamplesToolbar* m_toolbar;
    Banner* m_banner;
    QScrollArea* m_content;
    EmptyPage* m_empty; // says what is missing, in place of the content
    QWidget* m_unmeasured;
    SampleTrial* m_trial;
    ClassScores* m_scores;
    ConfusionCard* m_confusion;
    CurvesCard* m_curves;
    Card* m_metrics;
    SampleGallery* m_gallery;
};

} // namespace trainyard::ui
