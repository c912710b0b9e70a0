// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop of one rank: what a run file asks for, together with the other ranks of the group.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/sync_batch_norm.h"
#include "engine/torch/base/device.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/group/rejoin.h"
#include "engine/torch/models/model.h"
#include "engine/torch/trainer/buffer_copies.h"
#include "engine/torch/trainer/metrics/step_window.h"
#include "engine/torch/trainer/non_finite/non_finite_rule.h"
#include "engine/torch/trainer/precision.h"
#include "engine/torch/trainer/metrics/series_report.h"
#include "engine/torch/trainer/step_plan.h"
#include "engine/torch/trainer/metrics/step_sums.h"
#include "engine/torch/trainer/task.h"
#include "engine/torch/trainer/checkpoint_writer.h"
#include "engine/torch/trainer/trainer_report.h"
#include "engine/torch/trainer/training_policy.h"
#include "engine/torch/trainer/tuning.h"
#include "engine/torch/trainer/weight_average.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    Result<void> loadData();
    Result<void> compareData();
    Result<void> mustBeSameData(const ModelInfo& trainedOn);
    void tellOfData();
    Result<void> dealSamples();
    Result<void> checkLeastBatch() const;
    void limitForDebug();
    Result<void> makeParts();
    Result<void> restore();
    Result<void> applyState(const TrainState& state, const std::string& where);
    Result<void> makePolicy();
    Result<std::string> makeTheAverager(); // its description
    Result<void> meetOthers();
    void planSteps();
    void showProgress();

    // trainer_rejoin.cpp
    void seedStep();
    Result<void> rejoin();
    struct Position;
    Position position(bool known) const;
    Result<void> shareState(bool known);
    torch::Tensor stateOf(int donor); // packed
    void shareWindow(const std::vector<Position>& all, std::size_t donor);
    Result<void> adoptState(const Position& mine, const std::vector<Position>& all, std::size_t donor);
    void agreeOnWhatIsDone(const std::vector<Position>& all, const Position& newest);
    Result<void> resize(const Position& newest);
    void keepBuffers();
    void countAsDone();

    Result<void> agreeTuning(); // trainer_tuning.cpp
    Tuned findTuning(const spec::RunSpec& spec);

    // trainer.cpp
    Result<wire::Finished> trainToEnd();
    Result<bool> trainStep(); // false: it was taken back
    void forwardBackward(const data::Batch& batch, double parts, bool sync);
    Result<bool> updateWeights(); // false: the step was taken back
    Result<void> reportSteps();
    void publishMetrics(const StepWindow::Reduced& reduced, std::int64_t count);
    void reportShares(const StepTimes& times);
    void publishWindow(const StepWindow::Reduced& reduced, const StepTimes& times);
    void publishTimes(const StepTimes& times, double secondsPerStep);
    Result<bool> afterStep(); // true: stop
    Result<void> finishUp();
    double epochNow() const { return m_plan.epochs(m_place); }
    bool reportsNext() const;

    // trainer_validate.cpp
    void validate();
    Evaluation evaluated(models::Model& model, const data::Split& split, const char* doing);
    Result<void> test();
    Result<std::optional<Evaluation>> testBest(const Evaluation& last);
    void applyEvaluation(const Evaluation& evaluation);

    // trainer_faults.cpp: what is done about numbers that are not finite
    void keepBuffersOfStep();
    torch::Tensor noteBadLoss(const torch::Tensor& loss, const data::Batch& batch);
    BadLoss firstBadLoss();
    Error lossIsNotFinite(std::int64_t step);
    std::string remedyFor(const BadLoss& bad) const;
    Result<bool> stepWasSkipped();
    Result<void> rollBack(const std::string& why);
    void say(const std::string& notice);

    // trainer_checkpoint.cpp
    void saveState(bool soon = false); // `soon`: somebody waits for it
    void shareBuffers();
    TrainState captureState() const;
    using Copy = std::function<torch::Tensor(const std::string& name, const torch::Tensor& live)>;
    TrainState captureState(const Copy& copy) const;
    torch::Tensor keptCopy(const std::string& name, const torch::Tensor& live);

    // trainer_control.cpp
    void applyCommands();
    bool applyRound(bool paused);
    Result<void> applyCommand(const wire::Command& command);

    const TrainerInput m_input;
    const spec::RunSpec& m_spec;
    ProcessGroup m_group;
    RunReport& m_report;
    Progress& m_progress;
    SeriesReport m_series;

    data::Dataset m_data;
    ModelInfo m_info;                 // of it, as checkpoints have it
    std::optional<TrainState> m_from; // the checkpoint that is begun from, until it is restored
    std::unique_ptr<data::ShardedSampler> m_sampler;
    std::shared_ptr<models::Model> m_model;
    optim::NamedTensors m_parameters;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    std::unique_ptr<Task> m_task;
    TrainingPolicy m_policy;
    Precision m_precision;
    std::optional<Tuned> m_tuning; // none until the ranks have agreed
    bool m_chooseAnew = false;     // of the kernels: in a group of another size the products have other shapes
    std::unique_ptr<WeightAverage> m_average; // null: none wanted
    std::unique_ptr<GradientAverager> m_averager;
    std::unique_ptr<SyncBatchNorm> m_syncBatchNorm;
    std::unique_ptr<CheckpointWriter> m_writer;

    StepPlan m_plan;
    Place m_place;
    std::int64_t m_savedStep = -1, m_validatedStep = -1;
    std::int64_t m_settledStep = 0; // last step after which all was done that comes after a step
    BufferCopies m_buffersBefore;   // as the step found them
    BufferCopies m_buffersAfter;    // as the last step left them; while peers may be lost
    bool m_lostPeer = false, m_wasReporter = false;
    int m_lastWorld = 0;             // of the group before
    bool m_savesAndEnds = false;     // the group takes no step more
    std::int64_t m_averagerStep = 0; // what settle() of the averager says when no step is under way
    std::string m_resized;           // what a group of another size changed, still to be said
    double m_baseLr = 0, m_lastLr = -1;
    double m_gradNorm = 0;         // of the last step that reported it
    torch::Tensor m_gradNormLater; // of the last step, where a device still computes it
    std::int64_t m_lrStep = -1;    // last step that the learning rate was reported at
    StepSums m_sums;               // of the step in progress
    StepWindow m_window;
    StepTimes m_times;       // of the step in progress
    StepTimes m_recentTimes; // of the last seconds' steps; the older, the less they count
    bool m_stopped = false, m_saveOnStop = false;
    bool m_endEarly = false; // it no longer gets better
    NonFiniteRule m_nonFinite;
    BadLoss m_badLoss;
    std::optional<TrainState> m_rollbackState;
    std::map<std::string, torch::Tensor> m_kept; // of the last checkpoint, what its averager did not pin
    std::map<std::string, double> m_restored;    // progress of the checkpoint begun from
    optim::NamedTensors m_carried;               // for the next averager, by the checkpoint it begins from
    bool m_commanded = false;                    // rank 0 has commands for all
};

} // namespace trainyard::train
