// SPDX-License-Identifier: GPL-3.0-or-later
// What a shell offers for the word that is typed: decided from the tree of commands alone; what exists is asked for.
#pragma once

#include "app/ctl/help/command_tree.h"

#include <functional>

namespace trainyard::ctl {

// What a word of the command line may be.
enum class WordKind { Free, File, Folder, Run, RunOrSweep, Sweep, Checkpoint, Host, Setting, Dataset };

// One word that can be typed here, and what it means.
struct Candidate {
    std::string word, help;
};

// What a shell needs for its list.
struct Completion {
    std::vector<Candidate> words; // those that begin with what is typed
    bool files = false;           // names of files and folders can be typed, too
    bool folders = false;         // the same of folders alone
    bool open = false;            // more is typed right after the word: no space
};

std::vector<Candidate> knownHosts(); // that were added, then those of the SSH config

// Asks for the words of a kind; `typed` is what there is of the word. Only kinds whose words are known are asked.
using KnownWords = std::function<std::vector<Candidate>(WordKind, const std::string& typed)>;

// Rule: of which kind the value of an option is.
// By the option's label and the command's name.
WordKind wordKind(const std::string& command, const OptionInfo& option);

// Rule: what a word on the command line may be.
// `words` follow the program's name; the last one is being typed and may be empty. Never fails: an unparsable line
// gives an empty list.
Completion complete(const CommandInfo& program, const std::vector<std::string>& words, const KnownWords& known);

// The value of an option that was already typed, such as --workspace; empty: none.
std::string typedOption(const std::vector<std::string>& words, const std::string& name);

} // namespace trainyard::ctl
