// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/evaluation.h"
#include "engine/run/record/run_score.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/models/head_only.h"
#include "engine/torch/trainer/task/evaluate.h"
#include "engine/torch/trainer/trainer.h"

#include <algorithm>

namespace trainyard::train {

// Collective. Each rank takes its share of the validation samples once; sums and counts are added up, so the result is
// that of one process over all of them, and every rank has it.
void Trainer::validate() {
    if (m_data.set().validation.size() == 0 || m_validatedStep == m_place.step) return;
    m_report.enter(wire::Phase::Validate, "");
    shareBuffers();
    m_progress.setDoing(Engine::tr("validate"));
    m_task->setThresholds({});
    const Evaluation evaluation =
        evaluated(m_learner->bestModel(), m_data.set().validation, Engine::tr("validate, batch"));
    m_validatedStep = m_place.step;
    applyEvaluation(evaluation);
    m_report.enter(wire::Phase::Train, "");
}

// Collective.
Evaluation Trainer::evaluated(models::Model& model, const data::Split& split, const char* doing) {
    const bool training = model.is_training();
    model.eval();
    const auto share = data::shareOf(split.size(), {.number = m_group.rank(), .of = m_group.worldSize()});
    std::optional<models::HeadOnly> head;
    if (m_data.areFeatures()) head.emplace(dynamic_cast<models::HeadedModel&>(model));
    auto found = evaluateShare(head ? static_cast<models::Model&>(*head) : model, *m_task, m_data.set(), split,
                               {.share = share,
                                .batch = std::max(m_plan.perRank, kEvaluationBatch),
                                .precision = m_learner->precision(),
                                .begins = [this, doing](int batch) { m_progress.setDoing(doing, batch); },
                                .loader = loaderOptions(m_spec, split.device(), false),
                                .waiting = [this](double seconds) { waitForBatch(seconds); }});
    model.train(training);
    m_progress.setCollective(Engine::tr("reduce the validation metrics"));
    m_group.sum(found.sums);
    if (m_group.worldSize() > 1) {
        m_progress.setCollective(Engine::tr("gather the validation examples"));
        found.examples = chosenOf(m_group.gatherText(run::examplesToJson(found.examples)));
    }
    m_batches.keepUnreadable(std::move(found.unreadable));
    return m_task->evaluate(found.sums.cpu(), found.examples);
}

void Trainer::applyEvaluation(const Evaluation& evaluation) {
    const auto verdict = m_learner->policy().observe(evaluation.series, m_place.step);
    m_data.setThresholds(evaluation.thresholds);
    if (verdict.stop) m_control.setEndsEarly(true);
    if (m_group.rank() != 0) return;
    for (const auto& [series, value] : evaluation.series)
        m_metrics.series().point(series, m_place.step, epochNow(), value);
    m_report.notify(wire::Evaluation{m_place.step, epochNow(), evaluation.json});
    for (const auto& notice : verdict.notices) say(notice);
}

// Collective, when the run has come to its end: the metrics on the test samples, by which nothing was chosen, of the
// last weights and of the best checkpoint, whose metrics are series, too. Every rank has rank 0's buffers. A run that
// was killed meanwhile comes here again, and gives points of the same step, which count once.
Result<void> Trainer::test() {
    if (m_data.set().test.size() == 0) return {};
    m_report.enter(wire::Phase::Validate, "test samples");
    m_progress.setDoing(Engine::tr("test"));
    m_task->setThresholds(m_data.info().thresholds);
    const Evaluation last = evaluated(m_learner->bestModel(), m_data.set().test, Engine::tr("test, batch"));
    if (m_group.rank() == 0) m_report.notify(wire::Tested{"last", m_place.step, epochNow(), last.json});
    TY_ASSIGN(const auto best, testBest(last));
    if (m_group.rank() != 0) return {};
    for (const auto& [series, value] : (best ? *best : last).series)
        m_metrics.series().point(run::testSeriesOf(series), m_place.step, epochNow(), value);
    m_metrics.series().endWindow();
    return {};
}

// None when there is no best checkpoint, or it cannot be read.
Result<std::optional<Evaluation>> Trainer::testBest(const Evaluation& last) {
    std::optional<store::CheckpointRow> best;
    m_progress.setCollective(Engine::tr("share the best checkpoint"));
    if (m_checkpoints.writer()) best = run::bestCheckpointIn(m_input.checkpointFolder, m_spec.checkpoint);
    const std::string step = m_group.gatherText(best ? std::to_string(best->step) : "").front();
    if (step.empty()) return std::optional<Evaluation>();
    if (step == std::to_string(m_place.step)) {
        if (m_group.rank() == 0) m_report.notify(wire::Tested{"best", m_place.step, epochNow(), last.json});
        return std::optional(last);
    }
    TY_ASSIGN(const auto model, models::makeModel(m_spec.model, m_data.modelContext()));
    std::string problem;
    double epoch = 0;
    if (best) {
        m_progress.setDoing(Engine::tr("load the best checkpoint"));
        const auto state = loadCheckpoint(best->path);
        const Result<void> restored =
            state ? restoreModel(*model, servingTensors(*state), best->path) : Result<void>(state.error());
        if (state) m_task->setThresholds(state->modelInfo.thresholds);
        if (!restored) problem = restored.error().text();
        else
            epoch = static_cast<double>(state->epoch) +
                    static_cast<double>(state->batchInEpoch) / static_cast<double>(m_plan.stepsPerEpoch);
    }
    m_progress.setCollective(Engine::tr("share the best checkpoint"));
    problem = m_group.gatherText(problem).front();
    if (!problem.empty()) {
        say("the best checkpoint could not be tested: " + problem);
        return std::optional<Evaluation>();
    }
    model->to(m_input.device.device);
    broadcastTensors(m_group, modelTensors(*model), [this](int part) {
        m_progress.setCollective(Engine::tr("share the best checkpoint, part"), part);
    });
    m_progress.setDoing(Engine::tr("test the best checkpoint"));
    applyTuning(m_tuning.tuned(), *model);
    Evaluation evaluation = evaluated(*model, m_data.set().test, Engine::tr("test the best checkpoint, batch"));
    if (best) m_report.notify(wire::Tested{"best", best->step, epoch, evaluation.json});
    return std::optional(std::move(evaluation));
}

} // namespace trainyard::train
