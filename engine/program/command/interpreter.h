// SPDX-License-Identifier: GPL-3.0-or-later
// Which Python runs a script, and where.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <string>

namespace trainyard::program {

// Names and values of an environment.
using Variables = std::map<std::string, std::string>;
// Those of this process.
Variables processVariables();

// A Python and the environment that it belongs to.
struct Interpreter {
    enum class Kind { Plain, Venv, Conda };
    std::filesystem::path file{}; // absolute; never resolved, as a venv's Python knows its venv by its own path
    Kind kind = Kind::Plain;
    std::filesystem::path prefix{}; // of a venv or conda environment: its folder
    std::string reason{};           // why this one: "named", ".venv of /home/ada/gpt", "$CONDA_PREFIX", "$PATH"
};

// Rule: which Python runs a script.
// The one that is named: a file, a program of $PATH, the folder of an environment, or conda:NAME; relative paths begin
// at `folder`. Else .venv or venv in the folder or above it, $VIRTUAL_ENV, $CONDA_PREFIX, python3 of $PATH. Such a venv
// belongs to this user, to root or to the owner of `folder`, else it is passed over. Nothing is run. Input: what is
// named is no Python, or a venv that was found has lost its own. Environment: there is none.
Result<Interpreter> findInterpreter(const std::string& named, const std::filesystem::path& folder,
                                    const Variables& variables);

// What `activate` would set: VIRTUAL_ENV or CONDA_PREFIX, and PATH with the environment's programs first. Nothing for a
// plain Python.
Variables activation(const Interpreter& interpreter, const Variables& variables);

// Rule: where a script runs.
// The nearest folder at or above `folder` with .git or pyproject.toml, else `folder`. Neither the home folder nor what
// is above it, which some keep under version control.
std::filesystem::path projectFolder(const std::filesystem::path& folder, const Variables& variables);

} // namespace trainyard::program
