// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::run {

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
