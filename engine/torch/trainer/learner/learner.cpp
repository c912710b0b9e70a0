// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/learner.h"

#include "engine/torch/models/model_cache.h"

namespace trainyard::train {

Result<std::unique_ptr<Learner>> Learner::make(const spec::RunSpec& spec, const models::ModelContext& context,
                                               const torch::Device& device) {
    std::unique_ptr<Learner> learner(new Learner(spec, device));
    TY_ASSIGN(learner->m_model, models::takeOrMakeModel(spec.model, context, spec.seed));
    std::shared_ptr<models::Model> copy;
    if (spec.ema > 0) {
        TY_ASSIGN(copy, models::makeModel(spec.model, context));
        copy->to(device);
    }
    learner->m_model->to(device);
    learner->m_model->train();
    learner->m_parameters = optim::namedParameters(*learner->m_model);
    TY_ASSIGN(learner->m_optimizer, optim::makeOptimizer(spec.optimizer, learner->m_parameters));
    learner->m_baseLr = learner->m_optimizer->lr();
    if (copy) learner->m_average = std::make_unique<WeightAverage>(copy, *learner->m_model, spec.ema);
    TY_TRY(learner->setPrecision(spec.precision));
    return learner;
}

Result<void> Learner::setPrecision(const std::string& word) {
    TY_ASSIGN(m_precision, Precision::make(word, m_device));
    return {};
}

Result<void> Learner::planFor(int worldSize, const StepPlan& plan) {
    TY_ASSIGN(m_policy, TrainingPolicy::make(m_spec, m_baseLr, worldSize, plan.stepsPerEpoch, plan.totalSteps));
    resumeProgress();
    return {};
}

Result<void> Learner::planAnew(int worldSize, const StepPlan& plan) {
    m_restored = m_policy.state();
    m_precision.save(m_restored);
    return planFor(worldSize, plan);
}

void Learner::endUpdate() {
    if (m_average) m_average->update();
}

void Learner::capture(TrainState& state, const optim::Optimizer::Copy& copy) const {
    const torch::NoGradGuard noGrad;
    const auto copied = [&](const std::string& prefix, const optim::NamedTensors& tensors) {
        optim::NamedTensors all;
        for (const auto& [name, live] : tensors) all.emplace_back(name, copy(prefix + name, live));
        return all;
    };
    state.progress = m_policy.state();
    m_precision.save(state.progress);
    state.model = copied("model.", modelTensors(*m_model));
    if (m_average) state.average = copied("ema.", m_average->tensors());
    state.optimizer = m_optimizer->state(
        [&](const std::string& name, const torch::Tensor& live) { return copy("optimizer." + name, live); });
}

Result<void> Learner::restore(const TrainState& state, const std::string& where) {
    TY_TRY(restoreModel(*m_model, state.model, where));
    if (m_average) TY_TRY(m_average->restore(state.average.empty() ? modelTensors(*m_model) : state.average, where));
    if (!state.optimizer.kind.empty()) TY_TRY(m_optimizer->restore(state.optimizer));
    m_restored = state.progress;
    return {};
}

void Learner::resumeProgress() {
    m_policy.restore(m_restored);
    m_precision.restore(m_restored);
}

} // namespace trainyard::train
