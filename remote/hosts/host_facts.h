// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/files/transfer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard::remote {

// What a host reports about itself.
struct HostFacts {
    std::string system;       // "Debian GNU/Linux 12 (bookworm)"
    std::string architecture; // "x86_64"
    std::string glibc;        // "2.36"
    std::string processor;    // "AMD EPYC 7763 64-Core Processor"
    int cores = 0;
    std::int64_t memoryBytes = 0, freeMemoryBytes = 0;
    double load = 0; // over one minute, in running processes
    struct Gpu {
        std::string name;
        std::int64_t memoryBytes = 0, usedBytes = 0;
        double busy = 0; // share of the time, 0 to 1
    };
    std::vector<Gpu> gpus;          // by nvidia-smi
    std::string address;            // that the other hosts of a run use
    std::int64_t freeDiskBytes = 0; // of the cache folder
};

// The facts, and what would keep a worker from running there.
struct FactsAnswer {
    HostFacts facts;
    std::vector<std::string> lacking; // of the libraries that were asked for
    std::string readOnlyFolder;       // of the cache, when it cannot be written
};

// Asks in one round trip. `libraries`: names of the needed ones, "libtorch.so.1.13".
Result<FactsAnswer> askFacts(SshSession& session, const HostBasics& basics,
                             const std::vector<std::string>& libraries = {});

// Seconds by which the host's clock is ahead of this computer's, to within the duration of one question.
Result<double> clockAhead(SshSession& session);
// "1 h 00 min ahead", "3 s behind"; empty if it is right to within 2 s.
std::string clockText(double secondsAhead);

// The number of this user's processes there for each run, by run id, whichever computer started them.
Result<std::map<std::string, int>> workersByRun(SshSession& session);

// Asks all of them to save and end (SIGTERM), and kills the rest (SIGKILL) after `seconds`. Returns their number.
// Environment: some are left.
Result<int> endWorkers(SshSession& session, double seconds);

} // namespace trainyard::remote
