// SPDX-License-Identifier: GPL-3.0-or-later
// A first look at a TorchScript file, in a process that can do no harm: SCRIPT.md beside this file says what is
// checked.
#pragma once

#include "engine/base/machine/sandbox.h"
#include "engine/base/result.h"
#include "engine/torch/models/model.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard::script {

using Limits = SandboxLimits; // of a check

// What the module must be able to do: the samples of a run and the outputs that its task asks for. outputs 0: any.
struct Use {
    std::vector<std::int64_t> sampleShape;
    std::int64_t outputs = 0;
    train::TaskKind task = train::TaskKind::Classification;
};

// The fewest samples that a module takes at once in each mode: two where one is too few, and what happens with one.
struct Batches {
    std::int64_t leastTraining = 1, leastEvaluating = 1;
    std::string why;
};

// What a look at a model file found.
struct Report {
    std::string sha256;
    std::int64_t bytes = 0, records = 0;
    std::int64_t parameters = 0, trainable = 0, parameterTensors = 0, buffers = 0;
    std::vector<std::string> methods;                  // of the module itself
    std::vector<std::string> operations;               // that its code calls, sorted
    std::vector<std::int64_t> inputShape, outputShape; // of two samples; empty without a sample shape
    std::string outputType;
    Batches batches;                  // with a sample shape
    std::vector<std::string> notices; // what its author has to know, a sentence each
};
std::string toJson(const Report& report); // indented

// A file that has been read and whose records are whole.
struct Archive {
    std::string path, bytes, sha256;
    std::int64_t records = 0;
};

// Input: cannot be read, not a zip archive, damaged (names the record), torch.save's and not torch.jit.save's. No code
// of the file is run.
Result<Archive> readArchive(const std::string& path);

// Loads and tries the module in a child process, in the sandbox and within the limits. Input: what is wrong with the
// module, in words for its author. Environment: the child cannot be started. Blocks up to limits.wallSeconds.
Result<Report> probe(const Archive& archive, const std::optional<Use>& use, const Limits& limits = {});

// What a shared library registers. `probePlugin` loads it in a child process as above and nowhere else. Input: it is no
// plug-in, was built for something else, or does in the sandbox what it may not.
struct PluginReport {
    std::string name;
    std::vector<spec::ParamInfo> settings;
};
Result<PluginReport> probePlugin(const std::string& path, const Limits& limits = {});
std::string toJson(const PluginReport& report, const std::string& path); // indented

// True for a file that begins as shared libraries do.
bool isLibrary(const std::string& path);

// The child's side: `trainyard-worker probe [--plugin yes | --shape N,N --task TASK --outputs N]`, the archive on
// stdin.
int probeCommand(const std::vector<std::string>& arguments);

} // namespace trainyard::script
