// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/trainer/trainer.h"

#include <cmath>
#include <stdexcept>
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

// In the place of a batch whose decoding would be timed with the step.
data::Batch noise(const data::Dataset& dataset, const torch::Tensor& indices) {
    std::vector<std::int64_t> shape{indices.size(0)};
    shape.insert(shape.end(), dataset.sampleShape.begin(), dataset.sampleShape.end());
    const torch::Tensor targets = dataset.train.targets.index_select(0, indices);
    return {torch::randn(shape, torch::TensorOptions(torch::kFloat32).device(indices.device())),
            targets.is_floating_point() ? targets.to(torch::kFloat32) : targets};
}

} // namespace

Trainer::Trainer(TrainerInput input, ProcessGroup group, RunReport& report, Progress& progress)
    : m_input(std::move(input)), m_spec(m_input.spec), m_group(std::move(group)), m_report(report),
      m_progress(progress), m_metrics(report, progress, m_input.secondsBefore), m_nonFinite(m_spec.failure.nonFinite) {}

Result<std::unique_ptr<Trainer>> Trainer::make(TrainerInput input, ProcessGroup group, RunReport& report,
                                               Progress& progress) {
    std::unique_ptr<Trainer> trainer(new Trainer(std::move(input), std::move(group), report, progress));
    TY_ASSIGN(auto from, trainer->loadData());
    TY_TRY(trainer->makeParts());
    TY_TRY(trainer->dealSamples());
    if (!from && !trainer->m_input.joining) TY_TRY(trainer->takeWeights());
    TY_TRY(trainer->restore(std::move(from)));
    if (!trainer->m_input.joining) TY_TRY(trainer->cacheFeatures(/*together=*/true));
    TY_TRY(trainer->m_input.joining ? trainer->shareState(false) : trainer->meetOthers());
    return trainer;
}

Result<std::optional<TrainState>> Trainer::loadData() {
    if (!m_input.joining) meetForMemory();
    m_progress.setDoing(Engine::tr("load the data"));
    auto loaded = TrainingData::load(m_spec, m_input.isTrial); // the next trial may have the same
    setRanksOfHost({});
    if (!loaded) return loaded.error();
    m_data = std::move(*loaded);
    std::optional<TrainState> from;
    if (!m_input.resumeFrom.empty()) {
        m_progress.setDoing(Engine::tr("load the checkpoint"));
        TY_ASSIGN(from, loadCheckpoint(m_input.resumeFrom));
        if (m_input.isFork) m_data.noteDifferences(from->modelInfo);
        else {
            TY_TRY(m_data.listAsThen(from->modelInfo, /*joins=*/false));
            TY_TRY(m_data.mustBeSame(from->modelInfo));
        }
    }
    const bool readsWeights = !from && !m_input.joining && !m_spec.weights.file.empty(); // which are told, too
    if (m_group.rank() == 0 && !readsWeights) m_report.notify(m_data.description());
    limitData();
    const std::string what = m_data.set().sampleShape.size() == 3 ? " images" : " samples";
    m_report.enter(wire::Phase::LoadData,
                   grouped(m_data.set().train.size()) + what + (m_data.set().streams ? ", streamed" : ""));
    m_data.moveTo(m_input.device.device);
    return from;
}

void Trainer::limitData() {
    m_plan.perRank = m_spec.perRankBatch();
    m_plan.accumulate = m_spec.batch.accumulate;
    const std::int64_t perPass = m_plan.perRank * m_group.worldSize();
    m_data.limitForDebug(perPass, perPass * m_plan.accumulate);
}

// Collective: how many ranks are on this host, and what is free there before any of them loads.
void Trainer::meetForMemory() {
    if (m_group.worldSize() == 1) return;
    m_progress.setCollective(Engine::tr("compare the free memory"));
    setRanksOfHost(ranksBeside(m_group.gatherText(memoryText()), memoryText()));
}

Result<void> Trainer::makeParts() {
    m_progress.setDoing(Engine::tr("make the model"));
    TY_ASSIGN(m_learner, Learner::make(m_spec, m_data.modelContext(), m_input.device.device));
    for (const auto& notice : m_learner->model().notices()) say(notice);
    TY_ASSIGN(m_task, Task::make(m_spec, m_data.set()));
    m_metrics.setTask(*m_task, m_input.groups != nullptr);
    if (m_group.rank() == 0) m_checkpoints.writeTo(m_input.checkpointFolder, m_report);
    return {};
}

Result<void> Trainer::dealSamples() {
    m_plan.accumulate = m_spec.batch.accumulate;
    m_plan.perRank = perRankFor(m_spec, m_group.worldSize());
    const auto perStep = m_plan.perRank * m_plan.accumulate;
    if (m_plan.perRank < 1 || perStep * m_group.worldSize() > m_data.set().train.size())
        return inputError("a step of " + std::to_string(m_plan.perRank) + " samples x " +
                              std::to_string(m_plan.accumulate) + " passes x " + std::to_string(m_group.worldSize()) +
                              " workers does not fit " + grouped(m_data.set().train.size()) + " training samples",
                          "batch", "choose a smaller batch or fewer workers");
    TY_TRY(checkLeastBatch());
    m_plan.leastInPass = normalisesBatches(m_learner->model()) ? 2 : m_learner->model().leastBatch();
    const data::ShardedSampler sampler(data::ShardedSampler::Options{
        .samples = m_data.set().train.size(),
        .batchPerRank = perStep,
        .rank = m_group.rank(),
        .worldSize = m_group.worldSize(),
        .seed = m_spec.seed,
        .shuffle = m_spec.debug.overfitBatches == 0,
        .blocks = m_spec.data.order == "blocks" || (m_spec.data.order == "auto" && m_data.set().inBlocks),
        .dropLast = m_spec.batch.dropLast,
        .even = true,
        .leastPerRank = m_plan.leastInPass,
        .orderOf = m_data.orderOfEpochs()});
    m_plan.stepsPerEpoch = sampler.batchesPerEpoch();
    m_plan.stepSamples = perStep * m_group.worldSize();
    m_batches.deal(sampler, m_data, m_spec, m_plan);
    return {};
}

// A model from outside may take no single sample: no batch may then have one, in training or validation.
Result<void> Trainer::checkLeastBatch() const {
    const std::int64_t least = m_learner->model().leastBatch(), inEvaluation = leastInEvaluation(m_learner->model());
    if (m_plan.perRank < least)
        return inputError("a batch of " + std::to_string(m_plan.perRank) + " sample is too small: the model takes " +
                              std::to_string(least) + " at least",
                          m_spec.batch.perRank ? "batch.perRank" : "batch.global",
                          "set it to at least " + std::to_string(least) + " for each worker");
    for (const auto& [split, name] :
         {std::pair(&m_data.set().validation, "validation"), std::pair(&m_data.set().test, "test")})
        if (split->size() > 0 && split->size() / m_group.worldSize() < inEvaluation)
            return inputError(grouped(split->size()) + " " + name + " samples for " +
                                  std::to_string(m_group.worldSize()) +
                                  " workers leave one with a single sample, and the model takes " +
                                  std::to_string(inEvaluation) + " at least in evaluation mode",
                              "scaling.workers", "use fewer workers, or more samples");
    return {};
}

Result<void> Trainer::restore(std::optional<TrainState> from) {
    if (from) {
        m_progress.setDoing(Engine::tr("restore the checkpoint"));
        TY_TRY(applyState(*from, m_input.resumeFrom));
        // A run that continues with another global batch stays at the same sample of its epoch, as nearly as possible.
        if (const auto before = from->progress.find("globalBatch");
            before != from->progress.end() && before->second > 0)
            m_place.batchInEpoch = sameSample(m_place.batchInEpoch, std::llround(before->second), m_plan.stepSamples);
        if (m_place.batchInEpoch >= m_plan.stepsPerEpoch) m_place.beginEpoch();
        // Saved again before another step, the run's own checkpoint is still as good as it was found to be.
        const bool isOwn = std::filesystem::path(m_input.resumeFrom).parent_path() == m_input.checkpointFolder;
        const auto validated = from->metrics.lower_bound("val/");
        if (isOwn && validated != from->metrics.end() && validated->first.starts_with("val/"))
            m_validatedStep = m_place.step;
    }
    m_plan.planEnd(m_spec, m_place);
    showProgress();
    m_rejoiner.settle(m_place.step);
    return m_learner->planFor(m_group.worldSize(), m_plan);
}

// All that a checkpoint holds, but for the run file and what follows from the number of steps.
Result<void> Trainer::applyState(const TrainState& state, const std::string& where) {
    TY_TRY(m_learner->restore(state, where));
    m_place = {state.step, state.epoch, state.batchInEpoch};
    m_metrics.series().restore(state.metrics);
    // What is averaged from here on is not what was averaged before.
    const bool thaws = state.batchInEpoch == 0 && state.epoch > 0 && state.epoch == m_spec.finetune.thawAtEpoch;
    m_averaging.carry(thaws ? optim::NamedTensors() : state.carried);
    return {};
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
    const auto tensors = modelTensors(m_learner->model());
    const std::string extra = "training samples: " + std::to_string(m_data.set().train.size()) +
                              "\ndata: " + m_data.set().digest + "\nseed: " + std::to_string(m_spec.seed) +
                              "\nsamples of a step: " + std::to_string(m_plan.perRank * m_plan.accumulate) +
                              // What data.loading "auto" decides by the memory of each host.
                              "\ndata.loading: " + (m_data.set().inBlocks ? "stream, in blocks" : "in one order") +
                              "\nstep: " + std::to_string(m_place.step) +
                              "\nsteps: " + std::to_string(m_plan.totalSteps) +
                              "\noptimizer: " + m_spec.optimizer.name + "\nprogram version: " TRAINYARD_VERSION "\n";
    TY_TRY(agreeOnModel(m_group, tensors, extra,
                        [this](int part) { m_progress.setCollective(Engine::tr("share the model, part"), part); }));
    auto carried = m_averaging.carried();
    TY_ASSIGN(const std::string description, beginAveraging());
    std::string told = description;
    for (const std::string& each : {m_tuning.tuned().words(), m_learner->policy().lrNote(), m_learner->trainedText()})
        if (!each.empty()) told += "; " + each;
    m_report.enter(wire::Phase::FirstStep, told);
    if (!m_nonFinite.rollsBack()) return {};
    TrainState state = captureState();
    state.carried = std::move(carried);
    m_nonFinite.keepState(std::move(state));
    return {};
}

Result<std::string> Trainer::beginAveraging() {
    TY_TRY(m_learner->trainFor(m_plan.atEpochEnd(m_place) ? m_place.epoch + 1 : m_place.epoch));
    TY_TRY(agreeTuning()); // first: the layout of the parameters is that of their gradients
    TY_ASSIGN(auto description,
              m_averaging.begin(m_spec, m_group, m_learner->optimizer(), m_place.step, m_input.abort, m_progress));
    m_metrics.beginGroup(m_input.groups ? m_group : ProcessGroup::single());
    m_progress.setDoing(Engine::tr("first step"));
    return description;
}

Result<void> Trainer::agreeTuning() {
    const auto device = m_input.device.device;
    const auto all = torch::arange(m_plan.perRank, torch::TensorOptions(torch::kInt64).device(device));
    const data::Split& train = m_data.set().train;
    const auto loss = [&](std::int64_t samples, const std::string& word) {
        const auto batch = train.isStreamed() ? noise(m_data.set(), all.narrow(0, 0, samples))
                                              : data::gather(m_data.set(), train, all.narrow(0, 0, samples));
        const auto precision = Precision::make(word, device);
        if (!precision) throw std::runtime_error(precision.error().text());
        const auto autocast = precision->scope();
        return m_task->loss(outputsOf(m_learner->model(), batch.inputs), batch.targets);
    };
    const TuningTask task{.spec = m_spec,
                          .model = m_learner->model(),
                          .device = device,
                          .threads = at::get_num_threads(),
                          .samples = m_plan.perRank,
                          .loss = loss};
    TY_TRY(m_tuning.agree(task, m_learner->restoredProgress(), m_group, m_report, m_progress));
    if (m_spec.precision != "auto") return {};
    return m_learner->setPrecision(m_tuning.tuned().precision);
}

} // namespace trainyard::train
