// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop of one rank: what a run file asks for, together with the other ranks of the group.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/base/device.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/trainer/checkpoint_writer.h"
#include "engine/torch/trainer/group_control.h"
#include "engine/torch/trainer/group_tuning.h"
#include "engine/torch/trainer/learner/learner.h"
#include "engine/torch/trainer/learner/step_plan.h"
#include "engine/torch/trainer/metrics/metrics_publisher.h"
#include "engine/torch/trainer/non_finite/non_finite_guard.h"
#include "engine/torch/trainer/rejoiner.h"
#include "engine/torch/trainer/step_averaging.h"
#include "engine/torch/trainer/task/task.h"
#include "engine/torch/trainer/training_batches.h"
#include "engine/torch/trainer/training_data.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace trainyard::train {

struct TrainerInput {
    spec::RunSpec spec;
    std::string runJson;                    // recorded in checkpoints
    std::filesystem::path checkpointFolder; // empty: none are written
    std::string resumeFrom;                 // a checkpoint file; empty: from scratch
    double secondsBefore = 0;               // training time of earlier generations
    DeviceChoice device;
    const AbortFlag* abort = nullptr; // raised when a peer is lost; must outlive the trainer
    GroupSource* groups = nullptr;    // null: a lost peer ends the run of this rank
    bool isFork = false;              // resumeFrom is a checkpoint of another run
    bool joining = false;             // the others train already: their state is taken over instead of beginning
    bool isTrial = false;             // one of many: while it is brief, its checkpoints wait for no disk
};

// Trains one rank. Every rank of the group makes a Trainer of the same run and calls the same functions. Batch-norm
// statistics are each rank's own while it trains; rank 0's are broadcast before validation and before a checkpoint,
// which gives the values that a broadcast in every forward pass would give. One thread.
class Trainer {
public:
    // Loads the data, makes or restores the model and brings all ranks to rank 0's weights. Input: the run file asks
    // for something that cannot be, a file is bad, or the ranks were given different things. Throws what the group
    // throws.
    static Result<std::unique_ptr<Trainer>> make(TrainerInput input, ProcessGroup group, RunReport& report,
                                                 Progress& progress);

    // Trains to the end or until a stop is agreed. Run error, the same on every rank, when a loss is not finite and
    // failure.nonFinite has it (names rank, step and layer). Throws what the group throws.
    Result<wire::Finished> run();

private:
    Trainer(TrainerInput input, ProcessGroup group, RunReport& report, Progress& progress);

    // trainer_setup.cpp
    Result<std::optional<TrainState>> loadData(); // with the checkpoint to begin from, if there is one
    void limitData();                             // where the run file is only tried out
    Result<void> makeParts();
    void meetForMemory();
    Result<void> dealSamples();
    Result<void> checkLeastBatch() const;
    Result<void> restore(std::optional<TrainState> from);
    Result<void> applyState(const TrainState& state, const std::string& where);
    Result<std::string> beginAveraging(); // returns its description
    Result<void> agreeTuning();
    Result<void> meetOthers();
    void showProgress();

    // trainer_weights.cpp
    Result<void> takeWeights(); // of the file that the run file names, if it names one
    Result<void> thaw();
    Result<void> cacheFeatures(bool together); // finetune.features; `together`: each rank computes its share
    Result<torch::Tensor> featuresOf(models::HeadedModel& model, const data::Split& split, bool together);
    torch::Tensor outputsOf(models::Model& model, const torch::Tensor& inputs) const;

    // trainer_rejoin.cpp
    Result<void> rejoin();
    Position position(bool known) const;
    Result<void> shareState(bool known);
    torch::Tensor stateOf(int donor); // packed
    Result<void> joinData(const ModelInfo& trainedOn);
    Result<void> adoptState(const Position& mine, const RejoinPlan& plan);
    void agreeOnWhatIsDone(const RejoinPlan& plan);
    Result<void> resize(const Position& newest);
    void keepBuffers();
    void countAsDone();

    // trainer.cpp
    Result<wire::Finished> trainToEnd();
    Result<bool> trainStep(); // false: it was taken back
    void waitForData(double seconds);
    void waitForBatch(double seconds); // of a step or of the validation
    void reportUnreadable();           // collective
    void forwardBackward(const data::Batch& batch, double parts, bool sync);
    Result<bool> updateWeights(); // false: the step was taken back
    Result<bool> stepWasSkipped();
    Result<void> rollBack(const std::string& why);
    Result<void> reportSteps();
    Result<bool> afterStep(); // true: stop
    Result<void> applyCommand(const wire::Command& command);
    void saveState(bool soon = false); // `soon`: somebody waits for it
    void shareBuffers();
    TrainState captureState() const;
    TrainState captureState(const optim::Optimizer::Copy& copy) const;
    Result<void> finishUp();
    double epochNow() const { return m_plan.epochs(m_place); }
    void say(const std::string& notice);

    // trainer_validate.cpp
    void validate();
    Evaluation evaluated(models::Model& model, const data::Split& split, const char* doing);
    Result<void> test();
    Result<std::optional<Evaluation>> testBest(const Evaluation& last);
    void applyEvaluation(const Evaluation& evaluation);

    const TrainerInput m_input;
    const spec::RunSpec& m_spec;
    ProcessGroup m_group;
    RunReport& m_report;
    Progress& m_progress;

    TrainingData m_data;
    TrainingBatches m_batches;
    std::unique_ptr<Task> m_task;
    std::unique_ptr<Learner> m_learner;
    GroupTuning m_tuning;
    StepAveraging m_averaging;
    Checkpoints m_checkpoints;
    StepPlan m_plan;
    Place m_place;
    std::int64_t m_validatedStep = -1;
    MetricsPublisher m_metrics;
    NonFiniteGuard m_nonFinite;
    GroupControl m_control;
    Rejoiner m_rejoiner;
};

} // namespace trainyard::train
