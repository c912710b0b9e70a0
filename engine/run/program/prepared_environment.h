// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace trainyard::run {

// What program.prepare has changed in the environment of a shell.
struct PreparedEnvironment {
    std::map<std::string, std::string> set;
    std::set<std::string> unset;
    bool operator==(const PreparedEnvironment&) const = default;
};

// Rule: what of a shell's environment a rank gets.
// The variables that differ before and after the text was run, but for the shell's own (_, PWD, OLDPWD, SHLVL) and
// functions. Both as `env -0` prints them. Total.
PreparedEnvironment differenceOf(std::string_view before, std::string_view after);

// As kept in a file; nothing: it is no such text.
std::string textOf(const PreparedEnvironment& environment);
bool readPrepared(std::string_view text, PreparedEnvironment& environment);

// How a text is run.
struct PrepareTerms {
    std::filesystem::path cache{}; // where the result is kept: cacheFolder() / "prepare"
    double seconds = 60;           // at most
};

// Runs program.prepare in a login shell of this host, in the user's folder, or in / where the host has no such folder,
// with nothing to read, or takes what it has given before: once for each host, text and folder, however many ranks ask
// at the same time. Blocks for as long as the text runs. Input, with its last lines: it fails, ends the shell, or takes
// too long. Environment: there is no shell, or nothing can be kept.
Result<PreparedEnvironment> preparedEnvironment(const std::string& text, const std::filesystem::path& users,
                                                const PrepareTerms& terms);

} // namespace trainyard::run
