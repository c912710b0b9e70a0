// SPDX-License-Identifier: GPL-3.0-or-later
// A run as text that starts an equal one or loads its model, for "Copy as" and `show --as`.
#pragma once

#include "engine/store/run_query.h"

#include <optional>
#include <string_view>

namespace trainyard::run {

// What a run is copied as.
enum class CopyForm {
    Command, // for a shell: writes the run file and starts it
    RunFile, // JSON with every setting
    Cpp,     // a program on the library that starts the run and waits for it
    Python   // a program that loads the weights of its best checkpoint with PyTorch
};
const char* toString(CopyForm form); // "command", "run-file", "c++", "python"
std::optional<CopyForm> copyFormFromString(std::string_view word);

// Rule: a run as text that starts it again or loads its model.
// Names the workspace unless it is the default one. A run from another's checkpoint begins with it again. Input: the
// run was imported or belongs to a program of its own; for Python it has no checkpoint; for C++ it began with a
// checkpoint, which RunFile lacks.
Result<std::string> copyAs(store::RunQuery& query, const store::Workspace& workspace, const store::RunRow& run,
                           CopyForm form);

} // namespace trainyard::run
