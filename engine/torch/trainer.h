// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop of one rank: what a run file asks for, together with the other ranks of the group.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run_spec.h"
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/checkpoint.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/device.h"
#include "engine/torch/metrics.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/optim/schedule.h"
#include "engine/torch/trainer_checkpoint.h"
#include "engine/torch/trainer_report.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace trainyard::train {

struct TrainerInput {
    spec::RunSpec spec;
    std::string runJson; // recorded in checkpoints
    std::filesystem::path checkpointFolder; // empty: none are written
    std::string resumeFrom;                 // a checkpoint file; empty: from scratch
    double secondsBefore = 0;               // training time of earlier generations
    DeviceChoice device;
    const AbortFlag* abort = nullptr; // raised when a peer is lost; must outlive the trainer
};

// Trains one rank. Every rank of the group makes a Trainer of the same run and calls the same functions. Batch-norm
// statistics are each rank's own while it trains; rank 0's are broadcast before validation and before a checkpoint,
// which gives the values that a broadcast in every forward pass would give. One thread.
class Trainer {
public:
    // Loads the data, makes or restores the model and brings all ranks to rank 0's weights. Input: the run file asks for
    // something that cannot be, a file is bad, or the ranks were given different things. Throws what the group throws.
    static Result<std::unique_ptr<Trainer>> make(TrainerInput input, const ProcessGroup& group, RunReport& report,
                                                 Progress& progress);

    // Trains to the end or until a stop is agreed. Run error when the loss is not finite (names step and layer). Throws
    // what the group throws.
    Result<wire::Finished> run();

private:
    Trainer(TrainerInput input, const ProcessGroup& group, RunReport& report, Progress& progress);

    // trainer_setup.cpp
    Result<void> loadData();
    Result<void> makeParts();
    Result<void> restore();
    Result<void> meetOthers();
    void planSteps();

    // trainer.cpp
    Result<void> trainStep();
    Result<torch::Tensor> forwardBackward(const data::Batch& batch, bool sync);
    Result<void> reportSteps();
    void publishWindow(const StepWindow::Reduced& reduced, const StepTimes& times);
    void publish(const std::string& series, std::int64_t step, double epoch, double value, double secondsAgo = 0);
    Result<bool> afterStep(); // true: stop
    Result<void> finishUp();
    bool atEpochEnd() const { return m_batchInEpoch == m_stepsPerEpoch; }
    bool checkpointDue() const;
    double epochNow() const;
    double trainSeconds() const;
    bool reportsNext() const;

    // trainer_validate.cpp
    void validate();
    Error lossIsNotFinite(std::int64_t step, const data::Batch& batch); // an empty batch: no longer at hand

    // trainer_checkpoint.cpp
    void saveState();

    const TrainerInput m_input;
    const spec::RunSpec& m_spec;
    const ProcessGroup m_group;
    RunReport& m_report;
    Progress& m_progress;

    data::Dataset m_data;
    std::unique_ptr<data::ShardedSampler> m_sampler;
    std::shared_ptr<models::Model> m_model;
    optim::NamedTensors m_parameters;
    std::unique_ptr<optim::Optimizer> m_optimizer;
    optim::Schedule m_schedule;
    optim::Loss m_loss;
    std::unique_ptr<GradientAverager> m_averager;
    std::unique_ptr<CheckpointWriter> m_writer;

    std::int64_t m_step = 0, m_epoch = 0, m_batchInEpoch = 0; // optimizer steps done, epoch in progress, steps in it
    std::int64_t m_stepsPerEpoch = 0, m_totalSteps = 0, m_totalEpochs = 0;
    std::int64_t m_perRank = 0, m_accumulate = 1;
    std::int64_t m_savedStep = -1, m_validatedStep = -1;
    double m_begun = 0; // monotonicSeconds() of the first step of this generation
    double m_lastLr = -1;
    double m_gradNorm = 0; // of the last step that reported it
    std::int64_t m_lrStep = -1; // last step that the rate was reported at
    StepWindow m_window;
    StepTimes m_times; // of the step in progress
    bool m_stopped = false, m_saveOnStop = false;
    std::map<std::string, double> m_last; // last value of each series
};

} // namespace trainyard::train
