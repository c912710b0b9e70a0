// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::run {

// The files of one rank of a program, below the run's folder on the rank's host.
struct RankFiles {
    std::filesystem::path folder; // of the run
    int rank = 0;

    std::filesystem::path output() const { return folder / "output"; } // {output}: the program's own
    std::filesystem::path program() const { return folder / "program"; }
    std::filesystem::path metrics() const { return program() / ("rank" + std::to_string(rank) + ".jsonl"); }
    std::filesystem::path printed() const { return program() / ("rank" + std::to_string(rank) + ".out"); }
    std::filesystem::path sources() const { return program() / "sources.json"; } // of rank 0's metrics
    std::filesystem::path config(const std::string& ending) const {              // its copy of program.config.file
        return program() / ("rank" + std::to_string(rank) + ".config" + ending);
    }
    std::filesystem::path started() const { return program() / "started.json"; } // what rank 0 has started
    std::filesystem::path error() const { return program() / ("rank" + std::to_string(rank) + ".error.json"); }
};

// A rank's place among the ranks.
struct RankPlace {
    int rank = 0, worldSize = 1, localRank = 0, localWorldSize = 1, node = 0, nodes = 1;
    std::string address{};    // of rank 0's host: a number, as names are looked up differently on different hosts
    int port = 0;             // of rank 0's host
    bool hasStore = false;    // rank 0's keeper listens there; else rank 0 will
    std::string interface{};  // through which this host reaches the others: "eth0"; empty: the libraries' choice
    int restarts = 0;         // of the whole group so far
    std::string run{};        // id
    std::string trial{};      // of a sweep; empty: none
    std::string checkpoint{}; // to go on from; empty: from the beginning
};

// "True": PyTorch's ranks meet at a store that is open already, none of them opens one.
inline constexpr const char* kAgentStore = "TORCHELASTIC_USE_AGENT_STORE";
// Takes from this process's environment what is for this program alone: the mark of its launch, which is not to be
// found in what it starts, and copies of libraries that it was given on a host.
void dropOwnVariables();

// The network interface of this computer that has this address; empty: none.
std::string interfaceWith(const std::string& address);

// Rule: which variables a rank of a program finds in its environment.
// All that torchrun sets, so that Lightning, accelerate, DeepSpeed and scripts find it and start no processes of their
// own; what makes Python tell in time; and where Trainyard's files are. The run file's own variables win.
std::map<std::string, std::string> rankEnvironment(const spec::RunSpec& spec, const RankPlace& place,
                                                   const RankFiles& files);

} // namespace trainyard::run
