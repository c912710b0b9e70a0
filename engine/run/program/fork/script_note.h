// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// What earlier runs have shown of a script in an environment.
struct ScriptNote {
    enum class State {
        New,          // nothing is known
        Fine,         // nothing speaks against forking it
        Doubted,      // forked, it has failed before its first point: it has to be started as a program once
        StoreDoubted, // the same, and its ranks had met at a store of the keeper
        Never,        // as a program it then did not fail, or it cannot be forked
    };
    State state = State::New;
    std::vector<std::string> modules{}; // that take long to import, and that it has imported
    std::string reason{};               // of both kinds of doubt, and of Never
    bool store = true;                  // forked ranks may meet at a store of the keeper
    bool isDoubted() const { return state == State::Doubted || state == State::StoreDoubted; }
    bool operator==(const ScriptNote&) const = default;
};

// The note as a file has it, and back. Total: a file that is none gives an empty note.
std::string noteText(const ScriptNote& note);
ScriptNote noteFrom(std::string_view text);

// The note's file in `cache`, the user's cache folder, for a script or module and its interpreter.
std::filesystem::path noteFile(const std::filesystem::path& cache, const std::string& script,
                               const std::string& interpreter);
ScriptNote readNote(const std::filesystem::path& file);
// Best effort: what is not written is found out again. Keeps the newest thousand files of the folder.
void writeNote(const std::filesystem::path& file, const ScriptNote& note);

} // namespace trainyard::run
