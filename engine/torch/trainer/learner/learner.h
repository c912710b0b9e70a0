// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/models/model.h"
#include "engine/torch/trainer/learner/precision.h"
#include "engine/torch/trainer/learner/step_plan.h"
#include "engine/torch/trainer/learner/trained_parts.h"
#include "engine/torch/trainer/learner/training_policy.h"
#include "engine/torch/trainer/learner/weight_average.h"
#include "engine/torch/weights/weights_report.h"

#include <map>
#include <memory>
#include <string>

namespace trainyard::train {

// What one rank trains: a model, its optimizer, and the values that change with them from step to step. A checkpoint
// holds all of it, so it is captured and restored here as a whole.
class Learner {
public:
    // The same first weights on every rank. `spec` outlives it. Input: the run file asks for something that cannot be.
    static Result<std::unique_ptr<Learner>> make(const spec::RunSpec& spec, const models::ModelContext& context,
                                                 const torch::Device& device);

    models::Model& model() { return *m_model; }
    const models::Model& model() const { return *m_model; }
    models::Model& bestModel() { return m_average ? m_average->model() : *m_model; } // averaged weights, if it has some
    const optim::NamedTensors& parameters() const { return m_parameters; }           // that are trained now
    optim::Optimizer& optimizer() { return *m_optimizer; }
    TrainingPolicy& policy() { return m_policy; }
    Precision& precision() { return m_precision; }
    const Precision& precision() const { return m_precision; }
    Result<void> setPrecision(const std::string& word); // as Precision::make()

    // Takes over what fits of the weights that the run file names, for a run that begins with no other state. Input:
    // as weights::loadWeights().
    Result<weights::WeightsReport> loadWeights(const models::ModelContext& context,
                                               const std::vector<std::string>& classNames);
    // Rule: which weights are trained in an epoch.
    // Before finetune.thawAtEpoch all but the frozen ones, from then on all.
    bool isThawedIn(std::int64_t epoch) const;
    // Makes ready for the steps of that epoch. What was trained before keeps its state in the optimizer; the one that
    // parameters() and optimizer() gave before is another from then on where isThawedIn() has changed. No averager
    // works on them meanwhile.
    Result<void> trainFor(std::int64_t epoch);
    bool isReadyFor(std::int64_t epoch) const { return m_thawed == isThawedIn(epoch); }
    // Before each step: the model trains, but for the running statistics of layers that are frozen.
    void beginStep();
    // "11,176,512 of 11,182,668 numbers are frozen until epoch 3"; empty: all are trained at one rate.
    std::string trainedText() const;

    // Makes the policy for a group, beginning from the state restored. Input: the schedule cannot be.
    Result<void> planFor(int worldSize, const StepPlan& plan);
    // The same, beginning from the present state.
    Result<void> planAnew(int worldSize, const StepPlan& plan);
    // After the optimizer has updated the weights.
    void endUpdate();

    // Writes the tensors and the progress into `state`, made of what `copy` makes of each tensor.
    void capture(TrainState& state, const optim::Optimizer::Copy& copy) const;
    // Takes tensors over; the progress waits for planFor() or resumeProgress(). Input: a state of something else.
    Result<void> restore(const TrainState& saved, const std::string& where);
    void resumeProgress();
    const std::map<std::string, double>& restoredProgress() const { return m_restored; }

private:
    Learner(const spec::RunSpec& spec, const torch::Device& device) : m_spec(spec), m_device(device) {}
    void findStillNorms();
    optim::OptimizerState withoutFrozen(optim::OptimizerState state) const;
    Result<void> setThawed(bool thawed); // with an optimizer that has done no step

    const spec::RunSpec& m_spec;
    const torch::Device m_device;
    std::shared_ptr<models::Model> m_model;
    TrainedParts m_parts;
    bool m_thawed = false; // all are trained
    std::vector<std::shared_ptr<torch::nn::Module>> m_stillNorms;
    optim::NamedTensors m_parameters;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    std::unique_ptr<WeightAverage> m_average; // null: none wanted
    TrainingPolicy m_policy;
    Precision m_precision;
    double m_baseLr = 0;
    std::map<std::string, double> m_restored; // progress of the state last restored
};

} // namespace trainyard::train
