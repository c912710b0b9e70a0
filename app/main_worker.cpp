// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-worker: the program that links LibTorch.
#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/torch/worker/answer.h"
#include "engine/torch/worker/commands.h"
#include "engine/torch/worker/pool.h"
#include "engine/torch/worker/rank.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char* kHelp = R"(trainyard-worker: trains, describes, previews and exports for Trainyard

  trainyard-worker rank                    one rank of a run; started by a supervisor, frames on stdin and stdout
  trainyard-worker pool SOCKET             forks ranks, warm; started by a supervisor, listens on descriptor 3
  trainyard-worker describe                what this build offers, as JSON
  trainyard-worker preview [FILE]          what a run file would train, as JSON ("-" or nothing: stdin)
  trainyard-worker export CHECKPOINT --format safetensors|state-dict|torchscript --out PATH [--force]
  trainyard-worker inspect FILE [--sample-shape 1,28,28 [--task TASK] [--outputs N]]
                                           what a TorchScript file or a plug-in is, as JSON; it is run in a sandbox only
  trainyard-worker predict CHECKPOINT INPUT... [--top N] [--continue N] [--temperature T] [--seed N]
                                           what a trained model says about inputs, as JSON
  trainyard-worker evaluate CHECKPOINT... [--part train|validation|test]
                                           the metrics of checkpoints, as JSON
  trainyard-worker answer                  keeps models in memory and answers questions, a line of JSON each
  trainyard-worker --version | --help

Exit codes: 0 done, 1 the run failed, 2 the input is wrong, 3 the environment is, 130 stopped on request.
)";

int dispatch(const std::string& command, const std::vector<std::string>& arguments) {
    if (command == "rank") return trainyard::train::rankCommand(arguments);
    if (command == "describe") return trainyard::train::describeCommand();
    if (command == "preview") return trainyard::train::previewCommand(arguments);
    if (command == "export") return trainyard::train::exportCommand(arguments);
    if (command == "inspect") return trainyard::train::inspectCommand(arguments);
    if (command == "predict") return trainyard::train::predictCommand(arguments);
    if (command == "evaluate") return trainyard::train::evaluateCommand(arguments);
    if (command == "answer") return trainyard::train::answerCommand(arguments);
    if (command == "probe") return trainyard::script::probeCommand(arguments); // the child of inspect
    if (command == "--help" || command == "-h" || command == "help") return std::fputs(kHelp, stdout) < 0 ? 3 : 0;
    if (command == "--version") return std::puts("trainyard-worker " TRAINYARD_VERSION) < 0 ? 3 : 0;
    const std::vector<std::string> known{"rank",    "pool",     "describe", "preview", "export",   "inspect",
                                         "predict", "evaluate", "answer",   "--help",  "--version"};
    const std::string near = trainyard::nearestWord(command, known);
    std::fprintf(stderr, "unknown command \"%s\"%s\n", trainyard::printable(command).c_str(),
                 near.empty() ? ": see --help" : (" (did you mean \"" + near + "\"?)").c_str());
    return trainyard::exitCode(trainyard::ErrorKind::Input);
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) {
        std::fputs(kHelp, stderr);
        return trainyard::exitCode(trainyard::ErrorKind::Input);
    }
    if (words.front() == "pool") return trainyard::train::poolCommand({words.begin() + 1, words.end()}, argv[1]);
    return dispatch(words.front(), {words.begin() + 1, words.end()});
}
