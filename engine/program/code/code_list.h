// SPDX-License-Identifier: GPL-3.0-or-later
// The lists that a store of code keeps: of a tree, and of what a project was like when it was last looked at.
#pragma once

#include "engine/program/code/code_files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// A file with what is in it.
struct ListedCode {
    CodeFile file{};
    std::string digest{}; // SHA-256 of its bytes, in hexadecimal; of a link empty
};

// What one look at a project has found: its files, and what is left out of them.
struct CodeList {
    std::string project{};
    std::string digest{}; // of all files, see digestOf()
    std::vector<ListedCode> files{};
    std::vector<std::string> leftOut{};
};

// Rule: when two snapshots are one.
// The project's folder, and names, contents and permission to run of its files are the same. 32 hexadecimal digits.
std::string digestOf(const CodeList& list);

// As text, a line each.
std::string textOf(const CodeList& list);
// Nothing: it is no such text, or damaged. Total; a path in it never leads out of the project.
std::optional<CodeList> codeListOf(std::string_view text);

} // namespace trainyard::program
