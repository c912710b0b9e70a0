// SPDX-License-Identifier: GPL-3.0-or-later
// A command line as people have it in their notes, as keys of a run file.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/program_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// What "--nproc_per_node gpu" and "auto" mean on this computer.
struct Machine {
    int devices = 0, cores = 1;
};

// A program, and what a launcher in front of it said about its processes.
struct CommandLine {
    spec::Program program{};
    std::optional<int> workers{}; // on all hosts together
    std::optional<int> hosts{};   // how many; which ones is the caller's to know
    std::optional<int> threadsPerWorker{}, maxRestarts{};
    bool onCpu = false;         // scaling.device cpu
    bool passLocalRank = false; // its launcher gives each process --local_rank
};

// Rule: what a command line is as a program run.
// A script and its words, "-m pkg.train …", "torchrun …", "python -m torch.distributed.launch …",
// "accelerate launch …", "deepspeed …", "conda run -n x …", "python -u train.py", "NAME=value" in front, or any other
// command, which stays whole. Nothing on the disk is looked at. Input, with the option and what to write instead: an
// option of a launcher that means nothing here, no program behind one, a secret among the words or in the environment.
Result<CommandLine> commandLineOf(const std::vector<std::string>& words, const Machine& machine);

// Whether a word names a script of Python by its ending.
bool isPythonScript(const std::string& word);

} // namespace trainyard::program
