// SPDX-License-Identifier: GPL-3.0-or-later
// What names say of the files of a project.
#pragma once

#include <string_view>

namespace trainyard::program {

// Rule: which files of a project are no code, whatever is in them.
// Weights, arrays, pictures, archives and logs: "model.pt", "cat.jpg", "events.out.tfevents.1".
bool isDataName(std::string_view name);
// Rule: which files beside a script that belongs to no project are its code.
// Sources of Python and other languages, and files of settings.
bool isCodeName(std::string_view name);
// Rule: which files of a project are kept to themselves.
// .env, .netrc and private keys: nothing makes a copy of them.
bool isSecretFile(std::string_view name);
// What programs leave that can be made again: __pycache__. Nobody needs it of a copy.
bool isCacheFolder(std::string_view name);
// What version control and frameworks keep beside the code: .git, wandb.
bool isRecordFolder(std::string_view name);

} // namespace trainyard::program
