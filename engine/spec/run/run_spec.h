// SPDX-License-Identifier: GPL-3.0-or-later
// The run file as a value. Its JSON form is described in RUN_FILE.md beside this file.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/program_spec.h"
#include "engine/spec/values/field_error.h"
#include "engine/spec/values/params.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

namespace trainyard::spec {

inline constexpr int kRunFileVersion = 1;

struct Batch {
    // Exactly one of the two is given; samples per optimizer step = perRank * workers * accumulate = global.
    std::optional<std::int64_t> perRank, global;
    std::int64_t accumulate = 1; // backward passes per optimizer step
    bool dropLast = false;       // an epoch's last step is left out where too few samples are left for a full one
    bool operator==(const Batch&) const = default;
};

// The number of workers may shrink to `min` when some are lost for good, and grow to `max`. Both 0: it may not.
struct Elastic {
    int min = 0, max = 0;
    bool operator==(const Elastic&) const = default;
};

// The run file's "scaling": how many workers, on what, and how they average.
struct Scaling {
    int workers = 2;
    std::string device = "auto";      // auto, cpu, cuda
    int threadsPerWorker = 0;         // 0: cores / workers of that host, at least 1
    std::int64_t memoryMb = 0;        // that the queue keeps for each worker on its host; 0: none
    std::string backend = "auto";     // auto, gloo, nccl
    std::string averaging = "auto";   // how gradients are averaged: auto, reducer (c10d's), buckets, shared (memory)
    std::string compression = "none"; // of gradients between hosts: none, fp16, bf16, powersgd
    int compressionRank = 2;          // of powersgd's matrices: columns that stand for each
    std::string lrRule = "none";      // the rate times the number of workers: none, linear, sqrt
    bool syncBatchNorm = false;       // batch statistics over all ranks
    Elastic elastic;
    std::string place = "listed"; // listed: on the first hosts; free: on those of them that are the least busy
    int port = 0; // anything else is refused: ranks meet over the supervisor's own channels, and nothing listens
    bool operator==(const Scaling&) const = default;
};

// How a step is computed. `auto` is decided by a short timing at the start, and reported.
struct Tuning {
    std::string layout = "auto";    // of images in memory: auto, contiguous, channels_last
    std::string kernels = "auto";   // of matrix products: auto, stock (LibTorch's own), onednn
    std::string recompute = "none"; // of activations in the backward pass: none, blocks (of a transformer)
    bool operator==(const Tuning&) const = default;
};

// The run file's "data": what is done about files that cannot be read, and how samples are divided.
struct DataRules {
    std::string onError = "stop";   // of a file that cannot be read: stop, skip (it is left out)
    double maxBad = 0.25;           // the largest share of all files, and of those of a class, that may be left out
    std::string division = "auto";  // of the samples into parts: class (each class alike), random; validate() decides
    std::string changed = "refuse"; // data that is not what the run was trained on: refuse, accept
    std::string loading = "auto";   // memory: decoded once, one copy a host; stream: decoded batch by batch; auto
    int loaderThreads = 0;          // of a rank that streams; 0: as many as keep it from waiting
    std::string order = "auto";     // of the training samples: shuffle, blocks (of neighbours, mixed), auto
    double balance = 0;             // classes are drawn by n^(1 - balance) of their samples: 1: all alike
    // A file without the field is of a version that divided at random, unless it has yet to be validated.
    bool dividesByClass() const { return division == "class"; }
    bool operator==(const DataRules&) const = default;
};

// Weights of a file that a model begins with: the run file's "model.weights".
struct Weights {
    std::string file;          // safetensors or torch.save; empty: random weights
    std::string head = "auto"; // auto: of classes with the same names it is kept, else new; keep; new
    bool operator==(const Weights&) const = default;
};

// Low-rank matrices that are trained in place of the weights that they are added to.
struct Lora {
    int rank = 0; // 0: none
    double alpha = 16;
    double dropout = 0;
    std::vector<std::string> targets; // globs of layers; empty: the linear layers of the body
    bool operator==(const Lora&) const = default;
};

// The run file's "finetune": which weights are trained, and how fast.
struct Finetune {
    std::vector<std::string> freeze;      // globs of parameters, or "body": all but the head
    std::int64_t thawAtEpoch = 0;         // from which all are trained; 0: never
    std::map<std::string, double> groups; // glob of parameters -> factor of the learning rate
    double layerDecay = 1;                // factor of the learning rate from each layer to the one below it
    std::string normStats = "auto";       // batch-norm statistics of frozen layers: frozen, measured, auto (frozen)
    std::string features = "off";         // of a frozen body: cache (computed once), off
    Lora lora;
    bool operator==(const Finetune&) const = default;
};

// Random changes of training images, made on the device for a whole batch at once.
struct Augment {
    int crop = 0;                // pixels of padding that a random crop of the old size moves in; 0: no crop
    bool flip = false;           // left to right, half of the images
    double erase = 0;            // chance of an image to lose a random rectangle
    double resizedCrop = 0;      // the smallest share of a picture that is cut out and resized; 0: no such crop
    std::string policy = "none"; // the field "auto": none, trivial (TrivialAugment)
    double mixup = 0;            // alpha of the Beta distribution that pairs are mixed by; 0: none
    double cutmix = 0;           // the same, for a rectangle of the other image
    bool operator==(const Augment&) const = default;
};

// The run file's "gradient".
struct Gradient {
    double clipNorm = 0;  // the norm over all parameters is brought down to this; 0: as it is
    double clipValue = 0; // every element is brought into [-clipValue, clipValue]; 0: as it is
    bool operator==(const Gradient&) const = default;
};

// Ends a run whose metric no longer gets better.
struct EarlyStop {
    std::string metric;       // a validation series; empty: never
    std::string mode = "min"; // of the metric: max or min is better
    int patience = 5;         // validations without a better value
    double minDelta = 0;      // what counts as better
    bool operator==(const EarlyStop&) const = default;
};

// For trying a run file out.
struct Debug {
    std::int64_t overfitBatches = 0; // train and validate on the first so many batches; 0: on everything
    bool fastDevRun = false;         // one batch of training, validation and a checkpoint, then the end
    bool operator==(const Debug&) const = default;
};

// The run file's "checkpoint": when one is saved, which are kept, which is the best.
struct CheckpointPolicy {
    std::int64_t everyEpochs = 1; // 0: not by epochs
    std::int64_t everySteps = 0;  // 0: not by steps
    int keep = 2;                 // newest ones kept, besides the best
    std::string scoreBy = "val/accuracy";
    std::string mode = "max";  // max, min
    std::int64_t budgetMb = 0; // all checkpoints of the run together; 0: no limit
    bool operator==(const CheckpointPolicy&) const = default;
};

// The run file's "failure": what is done about lost ranks and losses that are not finite.
struct Failure {
    int maxRestarts = 3;
    double heartbeatSeconds = 20;   // a rank silent for longer is taken for hung
    double linkSeconds = 300;       // ranks that hear nothing from their supervisor for longer save and end
    std::string nonFinite = "stop"; // a loss or gradient that is NaN or infinite: stop, skip (the step), rollback
    double rollbackLrFactor = 0.5;  // of the learning rate, with each rollback
    bool operator==(const Failure&) const = default;
};

// A run file as a value. RUN_FILE.md explains every field.
struct RunSpec {
    int version = kRunFileVersion;
    std::string name;                    // may be empty: a friendly one is made
    std::string task = "classification"; // classification, regression, language
    Choice model{"mlp", {}};
    Weights weights; // model.weights
    Choice dataset{"fashion-mnist", {}};
    DataRules data;
    Choice optimizer{"sgd", {}};
    Choice schedule{"constant", {}};
    Choice loss{"cross-entropy", {}};
    Batch batch{.perRank = 32, .global = std::nullopt};
    Augment augment;
    Finetune finetune;
    Gradient gradient;
    double ema = 0; // decay of an exponential moving average of the weights, used for validation; 0: none
    std::string precision = "fp32"; // fp32, bf16, fp16 (CUDA), auto
    Tuning tuning;
    std::optional<std::int64_t> epochs = 5; // exactly one of epochs and steps
    std::optional<std::int64_t> steps;
    std::int64_t seed = 42;
    bool deterministic = false;
    Scaling scaling;
    std::vector<std::string> hosts;      // empty: this computer; else aliases or user@host[:port], ranks dealt in order
    std::vector<std::string> spareHosts; // one takes the place of a host that is lost, or cannot be used at the start
    CheckpointPolicy checkpoint;
    Failure failure;
    EarlyStop earlyStop;
    Debug debug;
    bool tensorBoard = false; // also writes TensorBoard event files
    std::string storage;      // folder for the run's files; empty: the workspace
    // Each rank is a process of this program, and most of the above means nothing (fieldsNotOfPrograms). Nothing: the
    // catalog's model is trained.
    std::optional<Program> program{};

    bool operator==(const RunSpec&) const = default;
    std::int64_t perRankBatch() const; // per backward pass
    std::int64_t globalBatch() const;  // per optimizer step
};

// Parses a run file. Structure, types and unknown or
// doubled keys are checked here, and every problem is collected before it returns. Nesting is limited to 64.
Result<RunSpec> parseRunSpec(std::string_view json, const std::string& file = {});
Result<RunSpec> readRunSpec(const std::filesystem::path& file);
std::string toJson(const RunSpec& spec); // indented; parseRunSpec(toJson(s)) == s

// Sets one field by its path, with the value as JSON or plain text: set(json, "optimizer.lr", "0.05"). Works on the
// file's text, before parsing, so that an unknown path is reported like an unknown key.
Result<std::string> withOverride(std::string_view json, const std::string& path, const std::string& value);

// Fills defaults of the named parts from the catalog and returns what is wrong: unknown names, values out of range,
// batch against workers and data, backend against device. The one place where values are judged.
std::vector<FieldError> validate(RunSpec& spec, const Catalog& catalog);
// After `task` has changed: the first of the catalog that serves it instead of a dataset, model or loss that does not,
// and checkpoints scored by what the task has. What the catalog does not know stays.
void fitToTask(RunSpec& spec, const Catalog& catalog);
// The checks that need no catalog: those of the fields that are the same for every model and dataset.
std::vector<FieldError> validateFields(const RunSpec& spec);

// Checks a choice whose parameters stand beside its name ({"name": "asha", "factor": 3}) against what there is, and
// fills in the defaults. What is wrong is said of `path` and its fields.
std::vector<FieldError> checkChoice(const std::string& path, Choice& choice, const std::vector<Entry>& entries);

// The same run with half as many samples in each backward pass, for one that has found no memory; nothing where a pass
// has one sample.
std::optional<RunSpec> withHalfTheBatch(RunSpec spec);

} // namespace trainyard::spec
