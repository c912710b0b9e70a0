// SPDX-License-Identifier: GPL-3.0-or-later
// What looks like a password or a key. Such words are written nowhere: not in a run file, a record, a log or a report.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/program_spec.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// Rule: which names are those of secrets.
// One of the name's words is KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL: HF_TOKEN, wandbApiKey; not TOKENIZERS.
bool isSecretName(std::string_view name);
// Rule: which words are secrets, whatever their name.
// A key of a known service (hf_…, sk-…, ghp_…, AKIA…) or a URL with a password stands somewhere in it.
bool isSecretValue(std::string_view word);

// A value of an argument that must not be one: a secret by its own look, or by its name, where the value could be one:
// --wandb_api_key 0a1b…, but not --pad_token "<pad>", --max_tokens 512.
bool isSecretArgument(std::string_view name, std::string_view value);

// Refuses a command line that holds a secret. Input, with the argument, never its value, and the environment as remedy.
Result<void> checkNoSecrets(const std::vector<std::string>& words);
// The same of variables that a run file gives a value.
Result<void> checkNoSecrets(const std::map<std::string, std::string>& environment);
// The same of all that a run file says of a program.
Result<void> checkNoSecrets(const spec::Program& program);

} // namespace trainyard::program
