// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/shell_word.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/dataset_cache.h"
#include "engine/torch/models/model_cache.h"
#include "engine/torch/trainer/trainer.h"

#include <cmath>
#include <utility>

namespace trainyard::train {
namespace {

// 60000 -> "60,000"
std::string grouped(std::int64_t number) {
    if (number < 1000) return std::to_string(number);
    const std::string digits = std::to_string(1000 + number % 1000);
    return grouped(number / 1000) + "," + digits.substr(1);
}

// In training, batch normalisation refuses a single sample: it has no variance.
bool normalisesBatches(const models::Model& model) {
    for (const auto& buffer : model.named_buffers())
        if (buffer.key().ends_with("running_var")) return true;
    return false;
}

std::int64_t leastInEvaluation(models::Model& model) {
    const bool training = model.is_training();
    model.eval();
    const std::int64_t least = model.leastBatch();
    model.train(training);
    return least;
}

} // namespace

Trainer::Trainer(TrainerInput input, ProcessGroup group, RunReport& report, Progress& progress)
    : m_input(std::move(input)), m_spec(m_input.spec), m_group(std::move(group)), m_report(report),
      m_progress(progress), m_series(report, m_input.secondsBefore), m_nonFinite(m_spec.failure.nonFinite) {}

Result<std::unique_ptr<Trainer>> Trainer::make(TrainerInput input, ProcessGroup group, RunReport& report,
                                               Progress& progress) {
    std::unique_ptr<Trainer> trainer(new Trainer(std::move(input), std::move(group), report, progress));
    TY_TRY(trainer->loadData());
    TY_TRY(trainer->makeParts());
    TY_TRY(trainer->dealSamples());
    TY_TRY(trainer->restore());
    TY_TRY(trainer->m_input.joining ? trainer->shareState(false) : trainer->meetOthers());
    return trainer;
}

Result<void> Trainer::loadData() {
    m_progress.setDoing(Engine::tr("load the data"));
    TY_ASSIGN(const TaskKind task, taskFromString(m_spec.task));
    const auto load = m_input.isTrial ? data::loadOrKeep : data::loadCached; // the next trial may have the same
    TY_ASSIGN(m_data, load(m_spec.dataset, m_spec.seed, task, m_spec.data));
    TY_TRY(data::checkAugment(m_spec.augment, m_data));
    m_info = modelInfoOf(m_data, m_spec);
    TY_TRY(compareData());
    if (m_group.rank() == 0) tellOfData();
    const char* what = m_data.sampleShape.size() == 3 ? " images" : " samples";
    m_plan.perRank = m_spec.perRankBatch();
    m_plan.accumulate = m_spec.batch.accumulate;
    limitForDebug();
    m_report.enter(wire::Phase::LoadData, grouped(m_data.train.size()) + what);
    data::moveTo(m_data, m_input.device.device);
    return {};
}

// With what the checkpoint was trained on, if there is one. A run that goes on must have that; a fork is another run,
// and only says what is different.
Result<void> Trainer::compareData() {
    if (m_input.resumeFrom.empty()) return {};
    m_progress.setDoing(Engine::tr("load the checkpoint"));
    TY_ASSIGN(m_from, loadCheckpoint(m_input.resumeFrom));
    if (!m_input.isFork) return mustBeSameData(m_from->modelInfo);
    if (const auto differences = train::compareData(m_from->modelInfo, m_info); !differences.empty())
        m_data.notes.insert(m_data.notes.begin(), "not what the checkpoint was trained on: " + textOf(differences));
    return {};
}

Result<void> Trainer::mustBeSameData(const ModelInfo& trainedOn) {
    const auto differences = train::compareData(trainedOn, m_info);
    const bool misfit = hasMisfit(differences);
    if (misfit || (!differences.empty() && m_spec.data.changed != "accept"))
        return inputError("is not what the run was trained on: " + textOf(differences), m_data.source,
                          misfit ? "put the data back, or train on it in a new run: trainyardctl fork " +
                                       shellWord(printable(m_spec.name, 100)) + " --fresh"
                                 : "put the data back, or go on with it as it is: --set data.changed=accept")
            .withCode(misfit ? ErrorCode::CheckpointMisfit : ErrorCode::DataChanged);
    if (!differences.empty())
        m_data.notes.insert(m_data.notes.begin(), "changed since the run was trained on it: " + textOf(differences));
    const ModelInfo found = m_info;
    useUnitsOf(trainedOn, m_data);
    m_info = modelInfoOf(m_data, m_spec);
    if (m_info.mean == found.mean && m_info.stddev == found.stddev) return {};
    m_info.pin.mean = found.mean; // what there is from now on, in the units of then
    m_info.pin.stddev = found.stddev;
    return {};
}

void Trainer::tellOfData() {
    constexpr std::size_t kMostFiles = 10'000; // a list of more helps nobody
    wire::DataRead read{modelInfoJson(m_info), m_data.notes, {}, {}};
    for (const auto& [file, why] : m_data.leftOut) {
        if (read.file.size() == kMostFiles) break;
        read.file.push_back(file);
        read.reason.push_back(why);
    }
    m_report.notify(std::move(read));
}

Result<void> Trainer::dealSamples() {
    m_plan.accumulate = m_spec.batch.accumulate;
    m_plan.perRank = perRankFor(m_spec, m_group.worldSize());
    const auto perStep = m_plan.perRank * m_plan.accumulate;
    if (m_plan.perRank < 1 || perStep * m_group.worldSize() > m_data.train.size())
        return inputError("a step of " + std::to_string(m_plan.perRank) + " samples x " +
                              std::to_string(m_plan.accumulate) + " passes x " + std::to_string(m_group.worldSize()) +
                              " workers does not fit " + grouped(m_data.train.size()) + " training samples",
                          "batch", "choose a smaller batch or fewer workers");
    TY_TRY(checkLeastBatch());
    m_plan.leastInPass = normalisesBatches(*m_model) ? 2 : m_model->leastBatch();
    m_sampler = std::make_unique<data::ShardedSampler>(
        data::ShardedSampler::Options{.samples = m_data.train.size(),
                                      .batchPerRank = perStep,
                                      .rank = m_group.rank(),
                                      .worldSize = m_group.worldSize(),
                                      .seed = m_spec.seed,
                                      .shuffle = m_spec.debug.overfitBatches == 0,
                                      .dropLast = m_spec.batch.dropLast,
                                      .even = true,
                                      .leastPerRank = m_plan.leastInPass});
    m_sampler->setEpoch(0);
    m_plan.stepsPerEpoch = m_sampler->batchesPerEpoch();
    m_plan.stepSamples = perStep * m_group.worldSize();
    return {};
}

// A model from outside may take no single sample: no batch may then have one, in training or validation.
Result<void> Trainer::checkLeastBatch() const {
    const std::int64_t least = m_model->leastBatch(), inEvaluation = leastInEvaluation(*m_model);
    if (m_plan.perRank < least)
        return inputError("a batch of " + std::to_string(m_plan.perRank) + " sample is too small: the model takes " +
                              std::to_string(least) + " at least",
                          m_spec.batch.perRank ? "batch.perRank" : "batch.global",
                          "set it to at least " + std::to_string(least) + " for each worker");
    for (const auto& [split, name] : {std::pair(&m_data.validation, "validation"), std::pair(&m_data.test, "test")})
        if (split->size() > 0 && split->size() / m_group.worldSize() < inEvaluation)
            return inputError(grouped(split->size()) + " " + name + " samples for " +
                                  std::to_string(m_group.worldSize()) +
                                  " workers leave one with a single sample, and the model takes " +
                                  std::to_string(inEvaluation) + " at least in evaluation mode",
                              "scaling.workers", "use fewer workers, or more samples");
    return {};
}

// Few samples, for trying a run file out.
void Trainer::limitForDebug() {
    const auto first = [](const data::Split& split, std::int64_t most) {
        const std::int64_t n = std::min(most, split.size());
        return n == split.size() ? split : data::Split{split.inputs.narrow(0, 0, n), split.targets.narrow(0, 0, n)};
    };
    const std::int64_t global = m_plan.perRank * m_plan.accumulate * m_group.worldSize();
    if (m_spec.debug.overfitBatches > 0) {
        m_data.train = first(m_data.train, std::min(m_spec.debug.overfitBatches, m_data.train.size()) * global);
        m_data.validation = m_data.train;
    }
    if (!m_spec.debug.fastDevRun) return;
    for (data::Split* split : {&m_data.validation, &m_data.test})
        if (split->size() > 0) *split = first(*split, m_plan.perRank * m_group.worldSize());
}

Result<void> Trainer::makeParts() {
    m_progress.setDoing(Engine::tr("make the model"));
    const models::ModelContext context{m_data.sampleShape, m_data.classes, m_data.task};
    // The same first weights on every rank.
    TY_ASSIGN(m_model, models::takeOrMakeModel(m_spec.model, context, m_spec.seed));
    std::shared_ptr<models::Model> copy;
    if (m_spec.ema > 0) {
        TY_ASSIGN(copy, models::makeModel(m_spec.model, context));
        copy->to(m_input.device.device);
    }
    m_model->to(m_input.device.device);
    m_model->train();
    for (const auto& notice : m_model->notices()) say(notice);
    m_parameters = optim::namedParameters(*m_model);
    TY_ASSIGN(m_optimizer, optim::makeOptimizer(m_spec.optimizer, m_parameters));
    if (copy) m_average = std::make_unique<WeightAverage>(copy, *m_model, m_spec.ema);
    TY_ASSIGN(m_task, Task::make(m_spec, m_data));
    m_window = StepWindow(m_task->sumCount(), !m_input.groups);
    TY_ASSIGN(m_precision, Precision::make(m_spec.precision, m_input.device.device));
    if (m_group.rank() == 0 && !m_input.checkpointFolder.empty())
        m_writer = std::make_unique<CheckpointWriter>(m_input.checkpointFolder, m_report);
    return {};
}

Result<void> Trainer::restore() {
    m_baseLr = m_optimizer->lr();
    if (const auto from = std::exchange(m_from, std::nullopt)) {
        m_progress.setDoing(Engine::tr("restore the checkpoint"));
        const TrainState& state = *from;
        TY_TRY(applyState(state, m_input.resumeFrom));
        // A run that goes on with another global batch stays at the same sample of its epoch, as near as it goes.
        if (const auto before = state.progress.find("globalBatch");
            before != state.progress.end() && before->second > 0)
            m_place.batchInEpoch = sameSample(m_place.batchInEpoch, std::llround(before->second), m_plan.stepSamples);
        if (m_place.batchInEpoch >= m_plan.stepsPerEpoch) m_place.beginEpoch();
        // Saved again before another step, the run's own checkpoint is still as good as it was found to be.
        const bool isOwn = std::filesystem::path(m_input.resumeFrom).parent_path() == m_input.checkpointFolder;
        const auto validated = state.metrics.lower_bound("val/");
        if (isOwn && validated != state.metrics.end() && validated->first.starts_with("val/"))
            m_validatedStep = m_place.step;
    }
    planSteps();
    m_settledStep = m_place.step;
    m_sampler->setEpoch(m_place.epoch);
    return makePolicy();
}

// All that a checkpoint holds, but for the run file and what follows from the number of steps.
Result<void> Trainer::applyState(const TrainState& state, const std::string& where) {
    TY_TRY(restoreModel(*m_model, state.model, where));
    if (m_average) TY_TRY(m_average->restore(state.average.empty() ? modelTensors(*m_model) : state.average, where));
    if (!state.optimizer.kind.empty()) TY_TRY(m_optimizer->restore(state.optimizer));
    m_place = {state.step, state.epoch, state.batchInEpoch};
    m_series.restore(state.metrics);
    m_restored = state.progress;
    m_carried = state.carried;
    return {};
}

Result<void> Trainer::makePolicy() {
    TY_ASSIGN(m_policy,
              TrainingPolicy::make(m_spec, m_baseLr, m_group.worldSize(), m_plan.stepsPerEpoch, m_plan.totalSteps));
    m_policy.restore(m_restored);
    m_precision.restore(m_restored);
    return {};
}

void Trainer::planSteps() {
    m_plan.planEnd(m_spec, m_place);
    showProgress();
}

// To whoever looks at this rank.
void Trainer::showProgress() {
    m_progress.step = m_place.step;
    m_progress.epoch = epochNow();
    m_progress.totalSteps = m_plan.totalSteps;
    m_progress.totalEpochs = m_plan.totalEpochs;
}

// After this every rank holds the same model and knows that the others train the same thing.
Result<void> Trainer::meetOthers() {
    m_report.enter(wire::Phase::FirstStep, ""); // the data are there: from now on each thing has its deadline
    m_progress.setDoing(Engine::tr("compare the models"));
    const auto tensors = modelTensors(*m_model);
    const std::string extra =
        "training samples: " + std::to_string(m_data.train.size()) + "\nseed: " + std::to_string(m_spec.seed) +
        "\nsamples of a step: " + std::to_string(m_plan.perRank * m_plan.accumulate) +
        "\nstep: " + std::to_string(m_place.step) + "\nsteps: " + std::to_string(m_plan.totalSteps) +
        "\noptimizer: " + m_spec.optimizer.name + "\nprogram version: " TRAINYARD_VERSION "\n";
    TY_TRY(agreeOnModel(m_group, tensors, extra,
                        [this](int part) { m_progress.setCollective(Engine::tr("share the model, part"), part); }));
    auto carried = m_carried;
    TY_ASSIGN(const std::string description, makeTheAverager());
    const std::string &note = m_policy.lrNote(), how = m_tuning->words();
    m_report.enter(wire::Phase::FirstStep,
                   description + (how.empty() ? "" : "; " + how) + (note.empty() ? "" : "; " + note));
    if (!m_nonFinite.rollsBack()) return {};
    m_rollbackState = captureState();
    m_rollbackState->carried = std::move(carried);
    return {};
}

Result<std::string> Trainer::makeTheAverager() {
    TY_TRY(agreeTuning()); // first: the layout of the parameters is that of their gradients
    AveragerOptions options{.kind = m_spec.scaling.averaging,
                            .step = m_place.step,
                            .abort = m_input.abort,
                            .pins = savesOnTheWay(m_spec.checkpoint)};
    options.compression = {.kind = m_spec.scaling.compression,
                           .rank = m_spec.scaling.compressionRank,
                           .step = m_place.step,
                           .carried = std::exchange(m_carried, {})};
    TY_ASSIGN(auto made, makeAverager(m_group, *m_optimizer, options, m_progress));
    m_averager = std::move(made.averager);
    m_averagerStep = m_place.step;
    m_sums = StepSums(m_input.groups ? m_group : ProcessGroup::single());
    m_syncBatchNorm.reset(); // that of another group
    if (m_spec.scaling.syncBatchNorm && m_group.worldSize() > 1)
        m_syncBatchNorm = std::make_unique<SyncBatchNorm>(m_group);
    m_progress.setDoing(Engine::tr("first step"));
    return made.description;
}

} // namespace trainyard::train
