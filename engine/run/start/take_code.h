// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/code/code_files.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/workspace.h"

namespace trainyard::run {

// Rule: which files a program's snapshot is made of.
// Those of the project of its script, its module's `folder` or the script of its command. Without .git and
// pyproject.toml above it, sources and settings beside it and in folders with Python; in the home folder and in folders
// where anyone may write, such as /tmp, those beside it alone. Nothing: it has no such file, or it runs in place.
std::optional<program::CodePlace> codePlace(const spec::Program& program);

// Makes the snapshot that the run is to start from, as program.code says; nothing where it runs in place. Some ten ms
// for 3,000 files that are unchanged. The errors of program::CodeStore::take().
Result<std::optional<RunCode>> takeCode(const store::Workspace& workspace, const spec::RunSpec& spec);

// Whether the values of program.config can be set in its file as it is now. Input: as program::withSettings().
Result<void> checkConfig(const spec::RunSpec& spec);

} // namespace trainyard::run
