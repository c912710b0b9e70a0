// SPDX-License-Identifier: GPL-3.0-or-later
// What the options of other launchers mean here, as tables.
#pragma once

#include <span>
#include <string_view>

namespace trainyard::program {

// What becomes of an option.
enum class OptionMeans {
    PerHost,     // processes on each host
    Workers,     // processes on all hosts
    Hosts,       // how many hosts
    Restarts,    // failure.maxRestarts
    Threads,     // scaling.threadsPerWorker
    AllDevices,  // as many processes as there are devices
    OnCpu,       // no device
    Devices,     // CUDA_VISIBLE_DEVICES, and one process for each of them
    Module,      // what follows is a module
    AnyProgram,  // what follows is no script of Python
    NoLocalRank, // processes are not told their number by an argument
    CondaName,   // an environment of conda by name
    CondaFolder, // by its folder
    Variable,    // a variable of the environment: `text` names it
    Fulfilled,   // it is so by itself
    Refused,     // `text` says what to write instead
};

// An option of a launcher, without the dashes before it and with "_" between its words.
struct LauncherOption {
    std::string_view name;
    bool takesValue;
    OptionMeans means;
    std::string_view text{};
    char letter = 0; // "-m"
};

// A launcher and its options.
struct LauncherTable {
    std::string_view name; // for messages: "torchrun"
    std::span<const LauncherOption> options;
};

const LauncherTable& torchrunTable();
const LauncherTable& accelerateTable();
const LauncherTable& deepspeedTable();
const LauncherTable& condaRunTable();

} // namespace trainyard::program
