// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/learner.h"

#include "engine/base/text/amounts.h"
#include "engine/torch/models/model_cache.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/trainer/learner/adapters.h"
#include "engine/torch/weights/load_weights.h"

#include <algorithm>

namespace trainyard::train {

Result<std::unique_ptr<Learner>> Learner::make(const spec::RunSpec& spec, const models::ModelContext& context,
                                               const torch::Device& device) {
    std::unique_ptr<Learner> learner(new Learner(spec, device));
    TY_ASSIGN(learner->m_model, models::takeOrMakeModel(spec.model, context, spec.seed));
    TY_TRY(addAdapters(*learner->m_model, spec.finetune.lora, spec.seed));
    TY_TRY(models::setRecompute(*learner->m_model, spec.tuning.recompute));
    std::shared_ptr<models::Model> copy;
    if (spec.ema > 0) {
        TY_ASSIGN(copy, makeTrainedModel(spec, context));
        copy->to(device);
    }
    learner->m_model->to(device);
    learner->m_model->train();
    std::vector<std::string> names;
    for (const auto& [name, parameter] : optim::namedParameters(*learner->m_model)) names.push_back(name);
    TY_ASSIGN(learner->m_parts, trainedPartsOf(spec.finetune, names, models::headNameOf(*learner->m_model)));
    TY_TRY(learner->setThawed(learner->isThawedIn(0)));
    learner->m_baseLr = learner->m_optimizer->lr();
    if (copy) learner->m_average = std::make_unique<WeightAverage>(copy, *learner->m_model, spec.ema);
    TY_TRY(learner->setPrecision(spec.precision));
    return learner;
}

// Parameters that a model from outside never trains stay as they are: only what is frozen here is thawed.
Result<void> Learner::setThawed(bool thawed) {
    for (const auto& item : m_model->named_parameters())
        if (m_parts.frozen.contains(item.key())) {
            item.value().requires_grad_(thawed);
            if (!thawed) item.value().mutable_grad().reset();
        }
    m_thawed = thawed;
    findStillNorms();
    for (const auto& norm : m_stillNorms) norm->eval();
    if (thawed) m_model->train();
    m_parameters = optim::namedParameters(*m_model);
    TY_ASSIGN(m_optimizer, optim::makeOptimizer(m_spec.optimizer, m_parameters, m_parts.factors));
    return {};
}

Result<weights::WeightsReport> Learner::loadWeights(const models::ModelContext& context,
                                                    const std::vector<std::string>& classNames) {
    TY_ASSIGN(auto report, weights::loadWeights(*m_model, m_spec.weights.file,
                                                {m_spec.model.name, context, classNames, m_spec.weights.head,
                                                 m_spec.finetune.lora.rank > 0 ? m_spec.finetune.lora.alpha : 0}));
    if (m_average) TY_TRY(m_average->restore(modelTensors(*m_model), m_spec.weights.file));
    return report;
}

bool Learner::isThawedIn(std::int64_t epoch) const {
    return m_parts.frozen.empty() || (m_spec.finetune.thawAtEpoch > 0 && epoch >= m_spec.finetune.thawAtEpoch);
}

Result<void> Learner::trainFor(std::int64_t epoch) {
    if (isReadyFor(epoch)) return {};
    const auto state = m_optimizer->state();
    TY_TRY(setThawed(isThawedIn(epoch)));
    return m_optimizer->restore(state);
}

// Layers whose own parameters are all frozen, with running statistics.
void Learner::findStillNorms() {
    m_stillNorms.clear();
    if (m_thawed || !m_parts.stillNorms) return;
    for (const auto& item : m_model->named_modules("", /*include_self=*/false)) {
        const auto buffers = item.value()->named_buffers(/*recurse=*/false);
        if (!buffers.contains("running_mean")) continue;
        const auto own = item.value()->named_parameters(/*recurse=*/false);
        const bool still = std::all_of(own.begin(), own.end(), [&](const auto& parameter) {
            return m_parts.frozen.contains(item.key() + "." + parameter.key());
        });
        if (still && !own.is_empty()) m_stillNorms.push_back(item.value());
    }
}

void Learner::beginStep() {
    for (const auto& norm : m_stillNorms) norm->eval();
}

std::string Learner::trainedText() const {
    std::int64_t frozen = 0, all = 0;
    double least = 1, most = 1;
    for (const auto& item : m_model->named_parameters()) {
        all += item.value().numel();
        if (!m_thawed && m_parts.frozen.contains(item.key())) frozen += item.value().numel();
    }
    for (const auto& [name, factor] : m_parts.factors) {
        if (!m_thawed && m_parts.frozen.contains(name)) continue;
        least = std::min(least, factor);
        most = std::max(most, factor);
    }
    std::string text;
    if (frozen > 0) {
        text = grouped(frozen) + " of " + grouped(all) + " numbers are frozen";
        if (m_spec.finetune.thawAtEpoch > 0)
            text += " for the first " + std::to_string(m_spec.finetune.thawAtEpoch) + " epochs";
    } else if (!m_parts.frozen.empty()) {
        text = "all " + grouped(all) + " numbers are trained from here on";
    }
    if (least != 1 || most != 1)
        text += std::string(text.empty() ? "" : "; ") + "learning rates are " + spec::toText(least) + " to " +
                spec::toText(most) + " times the schedule's";
    return text;
}

Result<void> Learner::setPrecision(const std::string& word) {
    TY_ASSIGN(m_precision, Precision::make(word, m_device));
    return {};
}

Result<void> Learner::planFor(int worldSize, const StepPlan& plan) {
    TY_ASSIGN(m_policy, TrainingPolicy::make(m_spec, m_baseLr, worldSize,
                                             {.perEpoch = plan.stepsPerEpoch, .total = plan.totalSteps}));
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

// A fork may freeze what the checkpoint's run has trained.
optim::OptimizerState Learner::withoutFrozen(optim::OptimizerState state) const {
    if (m_thawed) return state;
    std::erase_if(state.tensors, [this](const auto& tensor) {
        return m_parts.frozen.contains(tensor.first.substr(0, tensor.first.rfind('.')));
    });
    return state;
}

// A fork may begin to train low-rank matrices, or end that.
Result<void> Learner::restore(const TrainState& saved, const std::string& where) {
    const TrainState state = fitAdapters(saved, *m_model, m_spec.finetune.lora);
    TY_TRY(restoreModel(*m_model, state.model, where));
    if (m_average) TY_TRY(m_average->restore(state.average.empty() ? modelTensors(*m_model) : state.average, where));
    if (m_thawed != isThawedIn(state.epoch)) TY_TRY(setThawed(isThawedIn(state.epoch)));
    if (!state.optimizer.kind.empty()) TY_TRY(m_optimizer->restore(withoutFrozen(state.optimizer)));
    m_restored = state.progress;
    return {};
}

void Learner::resumeProgress() {
    m_policy.restore(m_restored);
    m_precision.restore(m_restored);
}

} // namespace trainyard::train
