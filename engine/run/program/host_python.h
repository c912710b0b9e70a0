// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/program/checkpoints/checkpoint_structure.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// The Python of a computer that would run a program there.
struct HostPython {
    std::string interpreter; // its file
    std::string python;      // "3.11.2"
    std::string torch, cuda; // "2.1.0" and the CUDA that it was built for; empty: none
    bool operator==(const HostPython&) const = default;
};

// Finds the interpreter on this computer as planRank() does, after program.prepare was run, and asks it. Nothing is
// imported but json, so it takes as long as Python's own start. The errors of findInterpreter() and of
// preparedEnvironment(); Environment: it does not start, or takes over 30 s.
Result<HostPython> askPython(const std::string& named, const std::string& folder, const std::string& prepare = {});

// As a relay prints it for the supervisor, and back. Input: it is something else.
std::string toJson(const HostPython& facts);
Result<HostPython> hostPythonFrom(std::string_view json);

// Rule: which difference between hosts keeps the ranks of a program from starting together.
// Another Python but for the last number, another PyTorch, or one for another CUDA; nothing: they fit. `hosts`: by the
// names that a person knows them by. Environment, host-unsuitable: names two hosts, what each has, and the remedy.
Result<void> fitTogether(const std::map<std::string, HostPython>& hosts);

// What `trainyard-relay checkpoint` has printed; of something else nothing is known.
program::StructureLook lookFrom(std::string_view json);

// `trainyard-relay python INTERPRETER FOLDER PREPARE`: prints the facts. `trainyard-relay checkpoint PATH`: what is
// known of a program's checkpoint by its bytes. Errors are printed as JSON, too. Returns the exit code.
bool isAnswerCommand(const std::vector<std::string>& words);
int answerCommand(const std::vector<std::string>& words);

} // namespace trainyard::run
