// SPDX-License-Identifier: GPL-3.0-or-later
// The run file as a value. Its JSON form is described in RUN_FILE.md beside this file.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"
#include "engine/spec/params.h"

#include <filesystem>
#include <string_view>

namespace trainyard::spec {

inline constexpr int kRunFileVersion = 1;

struct Batch {
    // Exactly one of the two is given; samples per optimizer step = perRank * workers * accumulate = global.
    std::optional<std::int64_t> perRank, global;
    std::int64_t accumulate = 1; // backward passes per optimizer step
    bool operator==(const Batch&) const = default;
};

struct Scaling {
    int workers = 2;
    std::string device = "auto";  // auto, cpu, cuda
    int threadsPerWorker = 0;     // 0: cores / workers of that host, at least 1
    std::string backend = "auto"; // auto, gloo, nccl
    std::string averaging = "auto"; // how gradients are averaged: auto, reducer (c10d's), buckets (ours)
    int port = 0; // 0: ranks meet over the supervisor's own channels, nothing listens; else a c10d TCPStore there
    bool operator==(const Scaling&) const = default;
};

struct CheckpointPolicy {
    std::int64_t everyEpochs = 1; // 0: not by epochs
    std::int64_t everySteps = 0;  // 0: not by steps
    int keep = 2;                 // newest ones kept, besides the best
    std::string scoreBy = "val/accuracy";
    std::string mode = "max"; // max, min
    bool operator==(const CheckpointPolicy&) const = default;
};

struct Failure {
    int maxRestarts = 3;
    double heartbeatSeconds = 20; // a rank silent for longer is taken for hung
    bool operator==(const Failure&) const = default;
};

struct RunSpec {
    int version = kRunFileVersion;
    std::string name; // may be empty: a friendly one is made
    std::string task = "classification";
    Choice model{"mlp", {}};
    Choice dataset{"fashion-mnist", {}};
    Choice optimizer{"sgd", {}};
    Choice schedule{"constant", {}};
    Choice loss{"cross-entropy", {}};
    Batch batch{32, std::nullopt, 1};
    std::string precision = "fp32";
    std::optional<std::int64_t> epochs = 5; // exactly one of epochs and steps
    std::optional<std::int64_t> steps;
    std::int64_t seed = 42;
    bool deterministic = false;
    Scaling scaling;
    std::vector<std::string> hosts; // empty: this computer; else aliases or user@host[:port], ranks dealt in order
    CheckpointPolicy checkpoint;
    Failure failure;
    std::string storage; // folder for the run's files; empty: the workspace

    bool operator==(const RunSpec&) const = default;
    std::int64_t perRankBatch() const;  // per backward pass
    std::int64_t globalBatch() const;   // per optimizer step
};

// One thing that is wrong with a run or sweep file.
struct FieldError {
    std::string path;    // "optimizer.lr"
    std::string value;   // as found
    std::string message; // "must be greater than 0"
    std::string remedy;  // "did you mean \"optimizer\"?"; may be empty
};
// All of them as one Input error; `file` may be empty.
Error toError(const std::vector<FieldError>& errors, const std::string& file);

// Parses a run file of any known version (older ones are upgraded step by step). Structure, types and unknown or
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
// The checks that need no catalog: those of the fields that are the same for every model and data set.
std::vector<FieldError> validateFields(const RunSpec& spec);

} // namespace trainyard::spec
