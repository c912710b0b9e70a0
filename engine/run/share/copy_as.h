// SPDX-License-Identifier: GPL-3.0-or-later
// A run as text that starts an equal one, or that loads its model: what "Copy as" and `show --as` give.
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
// The text, which names this workspace where it is not the one that programs use anyway. A run from a checkpoint of
// another one begins with that checkpoint again. Input where the run was imported or is one of a program of its own,
// and of Python where it has no checkpoint; of C++ where it began with a checkpoint, which RunFile does not have.
Result<std::string> copyAs(store::RunQuery& query, const store::Workspace& workspace, const store::RunRow& run,
                           CopyForm form);

} // namespace trainyard::run
