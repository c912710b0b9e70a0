// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's row keeps that is known from elsewhere.
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/store/store.h"

#include <string>
#include <vector>

namespace trainyard::run {

// Rule: a run's settings are those of its run file; the row has a copy, for who reads nothing but the database.
// Writes the file, then the copy. Environment: the file cannot be written, and neither has changed.
Result<void> writeRunFile(const RunFolder& folder, store::RunRow& row, const std::string& text,
                          Outlives outlives = Outlives::PowerLoss);

// Rule: what a run's row keeps of the processes that were counted after its end.
// A state's processesLeft and unseenOn are in the row's `environment`, so that they go wherever the row goes: to who
// opens the workspace later, and to the copy of a run that lives on another host. A state that does not know them yet
// takes them out.
void keepLeft(store::RunRow& row, const wire::RunState& state);
// Leaves the state as it is where the row does not say.
void readLeft(const store::RunRow& row, wire::RunState& state);

// What is needed to repeat a run, besides its run file.
struct RunEnvironment {
    struct Worker {
        int rank = 0;
        std::string host, device;
        int threads = 0;
    };
    struct Host {
        std::string name;
        int cores = 0, ranks = 0;
    };
    std::string libtorch; // its version
    std::string computed; // averaging, layout, precision, kernels
    std::vector<Worker> workers;
    std::vector<Host> hosts;
};

// As the store has it, with what this computer is.
std::string toJson(const RunEnvironment& environment);

} // namespace trainyard::run
