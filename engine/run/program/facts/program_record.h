// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's run was made of: program/record.json in its folder.
#pragma once

#include "engine/base/json_text.h"
#include "engine/run/program/facts/git_facts.h"
#include "engine/run/program/facts/python_facts.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/program_spec.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::run {

// What the keeper of rank 0 has started, as it says in program/started.json.
struct StartedProgram {
    std::vector<std::string> words{};
    std::string folder{}, interpreter{};
    std::map<std::string, std::string> environment{}; // only what recordedVariables() lets through
};
Result<void> writeStarted(const std::filesystem::path& file, const StartedProgram& started);
// Nothing: there is none, or it is damaged.
std::optional<StartedProgram> readStarted(const std::filesystem::path& file);

// Rule: which variables of a rank's environment are written down.
// Those of CUDA, NCCL, GLOO, TORCH, PYTORCH, OMP, SLURM and PYTHON, but none whose name or value is a secret's.
std::map<std::string, std::string> recordedVariables(const std::map<std::string, std::string>& environment);

// The files of a run's record, below its folder.
std::filesystem::path startedFile(const RunFolder& folder);
std::filesystem::path recordFile(const RunFolder& folder);
std::filesystem::path patchFile(const RunFolder& folder);

Json recordOf(const RunCode* code, const GitFacts* git, const std::optional<PythonFacts>& python,
              const std::string& driver);
// The record with what was started, for those who show it; null: there is none. Members: `code`, `git`, `python`,
// `driver`, `started`; each may be missing.
Json readProgramRecord(const RunFolder& folder);
// Its Python; nothing: it names none.
std::optional<PythonFacts> pythonOfRecord(const Json& record);

// What is different now in the Python that the program would be run with, a sentence each; empty also where the record
// names none. Some 30 ms.
std::vector<std::string> changesSince(const RunFolder& folder, const spec::Program& program);

// "535.54.03": of the driver of CUDA that this computer runs; empty: none.
std::string cudaDriver();

} // namespace trainyard::run
