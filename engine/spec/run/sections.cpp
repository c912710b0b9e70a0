// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/sections.h"

#include "engine/spec/run/better.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::spec {
namespace {

constexpr double kNoLimit = 1e30, kMaxMegabytes = 1099511627776.0;

ParamInfo whole(const char* path, const char* title, double min, double max, const char* unit, const char* help) {
    return {
        .name = path, .title = title, .type = ParamType::Integer, .min = min, .max = max, .unit = unit, .help = help};
}

ParamInfo real(const char* path, const char* title, double min, double max, const char* unit, const char* help) {
    return {.name = path, .title = title, .min = min, .max = max, .unit = unit, .help = help};
}

ParamInfo flag(const char* path, const char* title, const char* help) {
    return {.name = path, .title = title, .type = ParamType::Flag, .help = help};
}

ParamInfo word(const char* path, const char* title, std::vector<std::string> words, const char* help) {
    return {.name = path, .title = title, .type = ParamType::Option, .options = std::move(words), .help = help};
}

ParamInfo text(const char* path, const char* title, const char* help) {
    return {.name = path, .title = title, .type = ParamType::Text, .help = help};
}

Section stepSection() {
    return {Engine::tr("Step"),
            Engine::tr("How a step is computed and gradients are processed."),
            {word("precision", Engine::tr("Precision"), {"fp32", "bf16", "fp16", "auto"},
                  Engine::tr(
                      "Number format of the forward and backward pass; auto times fp32 and bf16 and uses the faster.")),
             real("gradient.clipNorm", Engine::tr("Clip norm"), 0, kNoLimit, "",
                  Engine::tr("Scales gradients down when their total norm is larger than this; 0: off.")),
             real("gradient.clipValue", Engine::tr("Clip value"), 0, kNoLimit, "",
                  Engine::tr("Clips every element of a gradient to plus or minus this; 0: off.")),
             real("ema", Engine::tr("EMA decay"), 0, 1, "",
                  Engine::tr("Decay of a moving average of the weights, such as 0.999; validation and exports use the "
                             "average. 0: none.")),
             word("tuning.layout", Engine::tr("Layout"), {"auto", "contiguous", "channels_last"},
                  Engine::tr("Memory layout of images; auto decides by timing.")),
             word("tuning.kernels", Engine::tr("Kernels"), {"auto", "stock", "onednn"},
                  Engine::tr("Kernels of matrix products on the CPU; auto decides by timing.")),
             word("tuning.recompute", Engine::tr("Recompute"), {"none", "blocks"},
                  Engine::tr("Compute the activations of transformer blocks again in the backward pass: less memory, "
                             "slower steps.")),
             flag("batch.dropLast", Engine::tr("Drop last step"),
                  Engine::tr("Skip the last step of an epoch if too few samples are left for a full one.")),
             flag("deterministic", Engine::tr("Deterministic"),
                  Engine::tr("Uses only operations that give the same bits in every run.")),
             {.name = "seed",
              .title = Engine::tr("Seed"),
              .type = ParamType::Integer,
              .min = 0.0,
              .help = Engine::tr("Seeds the sample order, initial weights and augmentation.")}}};
}

Section dataSection() {
    return {Engine::tr("Data"),
            Engine::tr("Unreadable files, and the split of the samples."),
            {word("data.onError", Engine::tr("Unreadable files"), {"stop", "skip"},
                  Engine::tr("Stop and name all of them, or skip and count them.")),
             real("data.maxBad", Engine::tr("Skip at most"), 0, 1, "",
                  Engine::tr("The largest share of all files, and of the files of a class, that may be skipped.")),
             word("data.division", Engine::tr("Division"), {"auto", "class", "random"},
                  Engine::tr("Split each class in proportion, or split at random; auto: by class.")),
             word("data.changed", Engine::tr("Changed data"), {"refuse", "accept"},
                  Engine::tr("Refuse to continue a run whose data has changed, or accept the data as it is now.")),
             word("data.loading", Engine::tr("Loading"), {"auto", "memory", "stream"},
                  Engine::tr("Decode all samples once into memory, one copy for each computer, or stream them from "
                             "their files; auto: by size.")),
             whole("data.loaderThreads", Engine::tr("Loader threads"), 0, 256, "",
                   Engine::tr("Threads of a rank that decode samples ahead of training; 0: as many as it needs.")),
             word("data.order", Engine::tr("Order"), {"auto", "shuffle", "blocks"},
                  Engine::tr("Shuffle all samples, or blocks of neighbours, which is faster on slow disks; auto: "
                             "shuffle.")),
             real("data.balance", Engine::tr("Class balance"), 0, 1, "",
                  Engine::tr("0 draws every sample once per epoch; 1 draws all classes equally often."))}};
}

Section augmentSection() {
    return {
        Engine::tr("Augmentation"),
        Engine::tr("Random transforms of training images, drawn for each batch."),
        {whole("augment.crop", Engine::tr("Crop"), 0, 256, Engine::tr("pixels"),
               Engine::tr("Pads the image with this many zeros and crops a random window of the old size; 0: off.")),
         real("augment.erase", Engine::tr("Erase"), 0, 1, "",
              Engine::tr("Probability of blanking a random rectangle of an image.")),
         flag("augment.flip", Engine::tr("Flip"), Engine::tr("Flip half of the images left to right.")),
         real("augment.resizedCrop", Engine::tr("Resized crop"), 0, 1, "",
              Engine::tr("Crops a random part of the image with at least this share of its area and resizes it; 0: "
                         "off.")),
         word("augment.auto", Engine::tr("Policy"), {"none", "trivial"},
              Engine::tr("TrivialAugment: one random change of colour or geometry per image.")),
         real("augment.mixup", Engine::tr("Mixup"), 0, 100, "",
              Engine::tr("Alpha of mixup, which blends pairs of images and labels; 0: off.")),
         real("augment.cutmix", Engine::tr("CutMix"), 0, 100, "",
              Engine::tr("Alpha of CutMix, which pastes a rectangle of another image and mixes the labels; 0: off."))}};
}

Section finetuneSection() {
    return {
        Engine::tr("Fine-tuning"),
        Engine::tr("Which weights are trained, and how fast."),
        {{.name = "model.weights.file",
          .title = Engine::tr("Weights"),
          .type = ParamType::Path,
          .defaultValue = std::string(),
          .help = Engine::tr("A safetensors or torch.save file that the model begins with; empty: random weights.")},
         {.name = "model.weights.head",
          .title = Engine::tr("Head"),
          .type = ParamType::Option,
          .defaultValue = RunSpec{}.weights.head, // run files have it only beside a file
          .options = {"auto", "keep", "new"},
          .help = Engine::tr("Keep the file's last layer, or begin with a new one; auto: kept where the classes have "
                             "the same names.")},
         text("finetune.freeze", Engine::tr("Freeze"),
              Engine::tr("Weights that are not trained: body, for all but the head, or patterns of their names, "
                         "such as layer1.* or conv1.")),
         whole("finetune.thawAtEpoch", Engine::tr("Thaw at epoch"), 0, kMaxEpochs, "",
               Engine::tr("Frozen weights are trained from this epoch on; 0: never.")),
         real("finetune.layerDecay", Engine::tr("Layer decay"), 1e-3, 1, "",
              Engine::tr("Factor of the learning rate from each layer to the one below it; 1: the same rate.")),
         word("finetune.normStats", Engine::tr("Batch-norm statistics"), {"auto", "frozen", "measured"},
              Engine::tr("Of frozen layers: keep those of the weights, or measure them on the new data; auto: "
                         "keep.")),
         word("finetune.features", Engine::tr("Features"), {"off", "cache"},
              Engine::tr("Computes the output of a frozen body once and trains the head on it.")),
         whole("finetune.lora.rank", Engine::tr("LoRA rank"), 0, kMaxLoraRank, "",
               Engine::tr("Trains two narrow matrices of this rank beside each linear layer, and the head; 0: all "
                          "weights.")),
         real("finetune.lora.alpha", Engine::tr("LoRA alpha"), 1e-3, 1e4, "",
              Engine::tr("The matrices' product counts alpha / rank times.")),
         real("finetune.lora.dropout", Engine::tr("LoRA dropout"), 0, 0.95, "",
              Engine::tr("Share of the matrices' inputs set to zero while training.")),
         text("finetune.lora.targets", Engine::tr("LoRA layers"),
              Engine::tr("Linear layers that get matrices, such as attn or c_fc; empty: all of the body."))}};
}

Section workersSection() {
    return {
        Engine::tr("Averaging"),
        Engine::tr("How the ranks share the work and stay in sync."),
        {word("scaling.averaging", Engine::tr("Averaging"), {"auto", "reducer", "buckets", "shared"},
              Engine::tr("How gradients are averaged: LibTorch's reducer, flat buckets, or memory shared by the ranks "
                         "of a host.")),
         word("scaling.compression", Engine::tr("Compression"), {"none", "fp16", "bf16", "powersgd"},
              Engine::tr(
                  "How gradients are compressed between ranks: as 16-bit numbers, or as narrow matrices (PowerSGD).")),
         whole("scaling.compressionRank", Engine::tr("Compression rank"), 1, kMaxCompressionRank, "",
               Engine::tr("Columns of PowerSGD's matrices: more are more exact and send more.")),
         word("scaling.lrRule", Engine::tr("Learning-rate rule"), {"none", "linear", "sqrt"},
              Engine::tr("Scale the learning rate with the number of workers, or with its square root.")),
         flag("scaling.syncBatchNorm", Engine::tr("Sync batch norm"),
              Engine::tr("Compute batch-norm statistics over all ranks.")),
         word("scaling.device", Engine::tr("Device"), {"auto", "cpu", "cuda"}, Engine::tr("Where the ranks compute.")),
         word("scaling.backend", Engine::tr("Backend"), {"auto", "gloo", "nccl"},
              Engine::tr("The library that carries data between ranks.")),
         whole("scaling.workers", Engine::tr("Workers"), 1, kMaxWorkers, "",
               Engine::tr("Processes, one for each rank.")),
         whole(
             "scaling.elastic.min", Engine::tr("At least"), 0, kMaxWorkers, Engine::tr("workers"),
             Engine::tr("Fewest workers that the run may continue with, after a loss or on request; 0: never fewer.")),
         whole("scaling.elastic.max", Engine::tr("At most"), 0, kMaxWorkers, Engine::tr("workers"),
               Engine::tr("Most workers that the run may grow to on request.")),
         whole("scaling.threadsPerWorker", Engine::tr("Threads"), 0, 1024, "",
               Engine::tr("Threads per worker; 0: divides the cores among the workers.")),
         word("scaling.place", Engine::tr("Placement"), {"listed", "free"},
              Engine::tr("Use the first hosts of the list, or the least busy ones.")),
         whole("scaling.memoryMb", Engine::tr("Memory"), 0, kMaxMegabytes, Engine::tr("MB"),
               Engine::tr("Memory that each worker needs on its host; the queue waits until that much is free. 0: do "
                          "not check."))}};
}

Section checkpointSection() {
    return {
        Engine::tr("Checkpoints"),
        Engine::tr("When to save, and what to keep."),
        {whole("checkpoint.everyEpochs", Engine::tr("Every"), 0, kMaxEpochs, Engine::tr("epochs"),
               Engine::tr("Saves every this many epochs; 0: never.")),
         whole("checkpoint.everySteps", Engine::tr("and every"), 0, kMaxSteps, Engine::tr("steps"),
               Engine::tr("Saves every this many steps; 0: never.")),
         whole("checkpoint.keep", Engine::tr("Keep newest"), 1, 10'000, "",
               Engine::tr("Number of newest checkpoints to keep besides the best one.")),
         whole("checkpoint.budgetMb", Engine::tr("Budget"), 0, kMaxMegabytes, Engine::tr("MB"),
               Engine::tr("Disk space for all checkpoints of the run; the oldest are deleted first. 0: no limit.")),
         text("checkpoint.scoreBy", Engine::tr("Score by"), Engine::tr("The series that picks the best checkpoint.")),
         word("checkpoint.mode", Engine::tr("Best is the"), {"max", "min"},
              Engine::tr("Whether smaller or larger values of that series are better."))}};
}

Section endSection() {
    return {Engine::tr("Early stop"),
            Engine::tr("Ends a run that no longer improves."),
            {text("earlyStop.metric", Engine::tr("Metric"),
                  Engine::tr("The validation series to watch, such as val/loss; empty: never stop early.")),
             word("earlyStop.mode", Engine::tr("Goal"), {"min", "max"},
                  Engine::tr("Whether smaller or larger values of that series are better.")),
             whole("earlyStop.patience", Engine::tr("Patience"), 1, kMaxEpochs, "",
                   Engine::tr("Validations without improvement before the run ends.")),
             real("earlyStop.minDelta", Engine::tr("Minimum improvement"), 0, kNoLimit, "",
                  Engine::tr("The smallest change that counts as an improvement."))}};
}

Section failureSection() {
    return {Engine::tr("Failures"),
            Engine::tr("Recovery when a rank is lost or a loss is NaN."),
            {whole("failure.maxRestarts", Engine::tr("Restarts"), 0, 10'000, "",
                   Engine::tr("How often the run may recover from a lost rank before it fails.")),
             real("failure.heartbeatSeconds", Engine::tr("Hung after"), 1, 86'400, Engine::tr("s"),
                  Engine::tr("A rank that is silent for longer counts as hung.")),
             real("failure.linkSeconds", Engine::tr("Orphaned after"), 1, 86'400, Engine::tr("s"),
                  Engine::tr("Ranks without contact to their supervisor for longer save and end.")),
             word("failure.nonFinite", Engine::tr("NaN or infinite"), {"stop", "skip", "rollback"},
                  Engine::tr("Stop the run, skip the step, or go back to the newest checkpoint.")),
             real("failure.rollbackLrFactor", Engine::tr("Learning-rate factor"), 1e-6, 1, "",
                  Engine::tr("A rollback multiplies the learning rate by this."))}};
}

Section tryingSection() {
    return {
        Engine::tr("Debugging"),
        Engine::tr("Debugging aids and output for other tools."),
        {whole("debug.overfitBatches", Engine::tr("Overfit on"), 0, kMaxSteps, Engine::tr("batches"),
               Engine::tr("Train and validate on only this many batches: the loss must go to 0. 0: on everything.")),
         flag("debug.fastDevRun", Engine::tr("Fast dev run"),
              Engine::tr("Runs one step, one validation batch and one checkpoint, then ends.")),
         flag("tensorBoard", Engine::tr("TensorBoard"), Engine::tr("Also write event files into the run's folder."))}};
}

// The default of a field is that of its member in RunSpec.
std::vector<Section> withDefaults(std::vector<Section> sections) {
    const Json tree = runToJson(RunSpec{});
    for (Section& section : sections)
        for (ParamInfo& info : section.params)
            if (const Json* found = fieldAt(tree, info.name))
                info.defaultValue = valueFromJson(*found).value_or(info.defaultValue);
    return sections;
}

} // namespace

const std::vector<Section>& runSections() {
    static const std::vector<Section> sections =
        withDefaults({stepSection(), dataSection(), augmentSection(), finetuneSection(), workersSection(),
                      checkpointSection(), endSection(), failureSection(), tryingSection()});
    return sections;
}

std::string modePathOf(std::string_view seriesPath) {
    if (seriesPath == "checkpoint.scoreBy") return "checkpoint.mode";
    if (seriesPath == "earlyStop.metric") return "earlyStop.mode";
    return {};
}

Params sectionValues(const RunSpec& spec) {
    const Json tree = runToJson(spec);
    Params values;
    for (const Section& section : runSections())
        for (const ParamInfo& info : section.params)
            if (const Json* found = fieldAt(tree, info.name)) {
                if (auto value = valueFromJson(*found)) values[info.name] = std::move(*value);
            } else {
                values[info.name] = info.defaultValue; // it is written beside others alone
            }
    return values;
}

Result<RunSpec> withSectionValues(const RunSpec& spec, const Params& values) {
    Json tree = runToJson(spec);
    for (const auto& [path, value] : values)
        if (auto problem = setField(tree, path, valueToJson(value)); !problem.empty())
            return inputError(std::move(problem), path);
    for (const auto& [path, value] : values) {
        const std::string mode = modePathOf(path);
        if (mode.empty() || values.contains(mode) || toText(value).empty()) continue;
        if (auto problem = setField(tree, mode, toString(betterOf(toText(value)))); !problem.empty())
            return inputError(std::move(problem), mode);
    }
    Errors errors;
    RunSpec changed = readRun(tree, "", errors);
    if (!errors.empty()) return toError(errors, {});
    return changed;
}

} // namespace trainyard::spec
