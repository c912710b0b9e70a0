// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of trainyard-worker that need no training loop. Each prints its result on stdout, or ends with
// failCommand(), and returns the program's exit code. They throw nothing.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::train {

// describe: the catalog as JSON (spec::toJson).
int describeCommand();
// preview [FILE] [--checkpoint CHECKPOINT]: what a run file would train, as JSON, and whether it can begin with the
// checkpoint; reads the run file from stdin without FILE or with "-".
int previewCommand(const std::vector<std::string>& args);
// fits CHECKPOINT FILE: prints {"fits": true}, or fails with the reason why a run of the file cannot begin with it.
int fitsCommand(const std::vector<std::string>& args);
// export CHECKPOINT --format safetensors|state-dict|torchscript --out PATH [--force]
int exportCommand(const std::vector<std::string>& args);
// inspect FILE [--sample-shape 1,28,28] [--task TASK] [--outputs N]: what a TorchScript file or a plug-in is, as JSON;
// it runs only in a sandboxed child.
int inspectCommand(const std::vector<std::string>& args);
// data inspect|check FOLDER [--labels FILE [--column NAME]...] [--task TASK] [--fix]: what a folder of pictures holds,
// or what is bad in it, as JSON (folder_report.h).
int dataCommand(const std::vector<std::string>& args);
// predict CHECKPOINT INPUT... [--top N] [--continue N] [--temperature T] [--seed N]: what the model says about the
// inputs, as JSON (predict.h).
int predictCommand(const std::vector<std::string>& args);
// answer [--at-once]: lines from stdin, answers to stdout, until stdin ends (answer.h). `--at-once`: at the usual
// priority, for short questions that somebody waits for.
int answerCommand(const std::vector<std::string>& arguments);
// evaluate CHECKPOINT... [--part train|validation|test]: the metrics of checkpoints, as a list (evaluate_checkpoint.h).
int evaluateCommand(const std::vector<std::string>& args);

// weights FILE [--model NAME]: what a file of weights holds, and how it fits a model of the catalog: the one named, or
// the one that its names and shapes are of. As JSON (engine/torch/weights/WEIGHTS.md); no code of the file is run.
int weightsCommand(const std::vector<std::string>& args);

// How a subcommand of trainyard-worker ends that failed before it printed a result: the sentence on stderr for people,
// the object of engine/base/error_json.h on stdout for the program that called. `samples`: of training, where they were
// read before it failed: its member "samples"; 0: it has none. Returns the exit code.
int failCommand(const Error& error, std::int64_t samples = 0);

} // namespace trainyard::train

namespace trainyard::script {

// The child's side of a look at a TorchScript file (engine/torch/script/probe.h), the file on stdin.
int probeCommand(const std::vector<std::string>& arguments);

} // namespace trainyard::script
