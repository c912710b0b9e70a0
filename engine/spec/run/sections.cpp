// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/sections.h"

#include "engine/spec/run/better.h"
#include "engine/spec/run/limits.h"
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

ParamInfo series(const char* path, const char* title, const char* help) {
    return {.name = path, .title = title, .type = ParamType::Text, .help = help};
}

Section stepSection() {
    return {"Step",
            "How a step is computed and gradients are processed.",
            {word("precision", "Precision", {"fp32", "bf16", "fp16", "auto"},
                  "Number format of forward and backward; auto times fp32 and bf16 and uses the faster."),
             real("gradient.clipNorm", "Clip norm", 0, kNoLimit, "",
                  "The norm of all gradients together is scaled down to this; 0: off."),
             real("gradient.clipValue", "Clip value", 0, kNoLimit, "",
                  "Every element of a gradient is clipped to this, either sign; 0: off."),
             real("ema", "EMA decay", 0, 1, "",
                  "Decay of a moving average of the weights, which is validated and exported, such as 0.999; 0: none."),
             word("tuning.layout", "Layout", {"auto", "contiguous", "channels_last"},
                  "Memory layout of images; auto decides by timing."),
             word("tuning.kernels", "Kernels", {"auto", "stock", "onednn"},
                  "Kernels of matrix products on the CPU; auto decides by timing."),
             flag("batch.dropLast", "Drop last step",
                  "Skip the last step of an epoch if too few samples are left for a full one."),
             flag("deterministic", "Deterministic", "Only operations that give the same bits in every run."),
             {.name = "seed",
              .title = "Seed",
              .type = ParamType::Integer,
              .min = 0.0,
              .help = "Seeds the sample order, initial weights and augmentation."}}};
}

Section dataSection() {
    return {"Data",
            "Files that cannot be read, and how the samples are divided.",
            {word("data.onError", "Unreadable files", {"stop", "skip"},
                  "Stop and name all of them, or skip them: they are left out and counted."),
             real("data.maxBad", "Skip at most", 0, 1, "",
                  "The largest share of all files, and of the files of a class, that may be skipped."),
             word("data.division", "Division", {"auto", "class", "random"},
                  "Give each class its share of training, validation and test, or divide at random; auto: by class."),
             word("data.changed", "Changed data", {"refuse", "accept"},
                  "Refuse to continue a run whose data has changed, or accept the data as it is now.")}};
}

Section augmentSection() {
    return {"Augmentation",
            "Random transforms of training images, drawn for each batch.",
            {whole("augment.crop", "Crop", 0, 256, "pixels",
                   "Zero padding around an image, from which a random window of the old size is cropped; 0: none."),
             real("augment.erase", "Erase", 0, 1, "", "Probability that a random rectangle of an image is blanked."),
             flag("augment.flip", "Flip", "Flip half of the images left to right.")}};
}

Section workersSection() {
    return {
        "Averaging",
        "How the ranks share the work and stay in sync.",
        {word("scaling.averaging", "Averaging", {"auto", "reducer", "buckets", "shared"},
              "How gradients are averaged: LibTorch's reducer, flat buckets, or memory shared by the ranks of a host."),
         word(
             "scaling.compression", "Compression", {"none", "fp16", "bf16", "powersgd"},
             "How gradients are compressed on their way between ranks: 16-bit numbers, or narrow matrices (PowerSGD)."),
         whole("scaling.compressionRank", "Compression rank", 1, kMaxCompressionRank, "",
               "Columns of PowerSGD's matrices: more of them lose less of a gradient, and send more."),
         word("scaling.lrRule", "Learning-rate rule", {"none", "linear", "sqrt"},
              "Scale the learning rate with the number of workers, or with its square root."),
         flag("scaling.syncBatchNorm", "Sync batch norm", "Compute batch-norm statistics over all ranks."),
         word("scaling.device", "Device", {"auto", "cpu", "cuda"}, "Where the ranks compute."),
         word("scaling.backend", "Backend", {"auto", "gloo", "nccl"}, "The library that carries data between ranks."),
         whole("scaling.workers", "Workers", 1, kMaxWorkers, "", "Processes, one for each rank."),
         whole("scaling.elastic.min", "At least", 0, kMaxWorkers, "workers",
               "How few workers the run may shrink to, after a loss or on request; 0: it may not shrink."),
         whole("scaling.elastic.max", "At most", 0, kMaxWorkers, "workers",
               "How many workers the run may grow to on request."),
         whole("scaling.threadsPerWorker", "Threads", 0, 1024, "",
               "Threads of each worker; 0: the cores divided among the workers."),
         word("scaling.place", "Placement", {"listed", "free"},
              "Which of several hosts are used: the first ones, or those that are the least busy."),
         whole(
             "scaling.memoryMb", "Memory", 0, kMaxMegabytes, "MB",
             "Memory that each worker needs on its host; the queue waits until that much is free. 0: do not check.")}};
}

Section checkpointSection() {
    return {"Checkpoints",
            "When to save, and what to keep.",
            {whole("checkpoint.everyEpochs", "Every", 0, kMaxEpochs, "epochs", "0: not by epochs."),
             whole("checkpoint.everySteps", "and every", 0, kMaxSteps, "steps", "0: not by steps."),
             whole("checkpoint.keep", "Keep newest", 1, 10'000, "", "Besides the best one."),
             whole("checkpoint.budgetMb", "Budget", 0, kMaxMegabytes, "MB",
                   "For all checkpoints of the run: the oldest go first; 0: no limit."),
             series("checkpoint.scoreBy", "Score by", "The series that picks the best checkpoint."),
             word("checkpoint.mode", "Best is the", {"max", "min"},
                  "Whether smaller or larger values of that series are better.")}};
}

Section endSection() {
    return {"Early stop",
            "Ends a run that no longer improves.",
            {series("earlyStop.metric", "Metric", "A validation series, such as val/loss; empty: never."),
             word("earlyStop.mode", "Better is", {"min", "max"},
                  "Whether smaller or larger values of that series are better."),
             whole("earlyStop.patience", "Patience", 1, kMaxEpochs, "", "Validations without improvement."),
             real("earlyStop.minDelta", "Minimum improvement", 0, kNoLimit, "",
                  "The smallest change that counts as an improvement.")}};
}

Section failureSection() {
    return {
        "Failures",
        "Recovery when a rank is lost or a loss is NaN.",
        {whole("failure.maxRestarts", "Restarts", 0, 10'000, "", "How often a group may be formed again after a loss."),
         real("failure.heartbeatSeconds", "Hung after", 1, 86'400, "s",
              "A rank that is silent for longer counts as hung."),
         real("failure.linkSeconds", "Unsupervised for", 1, 86'400, "s",
              "Ranks that hear nothing from their supervisor for longer save and end."),
         word("failure.nonFinite", "NaN or infinite", {"stop", "skip", "rollback"},
              "Stop the run, skip the step, or go back to the newest checkpoint."),
         real("failure.rollbackLrFactor", "Learning-rate factor", 1e-6, 1, "",
              "A rollback multiplies the learning rate by this.")}};
}

Section tryingSection() {
    return {
        "Debugging",
        "Debugging aids and output for other tools.",
        {whole("debug.overfitBatches", "Overfit on", 0, kMaxSteps, "batches",
               "Train and validate on only this many batches: the loss must go to 0. 0: on everything."),
         flag("debug.fastDevRun", "Fast dev run", "One step, one batch of validation, one checkpoint, then the end."),
         flag("tensorBoard", "TensorBoard", "Also write event files into the run's folder.")}};
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

const Json* fieldAt(const Json& tree, const std::string& path) {
    const Json* node = &tree;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t dot = std::min(path.find('.', from), path.size());
        const auto found = node->find(path.substr(from, dot - from));
        if (found == node->end()) return nullptr;
        node = &*found;
        from = dot + 1;
    }
    return node;
}

const std::vector<Section>& runSections() {
    static const std::vector<Section> sections =
        withDefaults({stepSection(), dataSection(), augmentSection(), workersSection(), checkpointSection(),
                      endSection(), failureSection(), tryingSection()});
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
            if (const Json* found = fieldAt(tree, info.name))
                if (auto value = valueFromJson(*found)) values[info.name] = std::move(*value);
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
