// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// What version control knows of a project.
struct GitFacts {
    std::string missing{};                           // why nothing is known: "no git program"; else empty
    std::string commit{}, branch{}, remote{};        // branch: empty where HEAD is a commit alone
    std::vector<std::string> untracked{};            // that are not ignored; 1,000 at most
    std::map<std::string, std::string> submodules{}; // their commits, by their folders
    std::string patch{};                             // from the commit to what is there, untracked texts included
    bool patchIsCut = false;                         // it was larger than 10 MB, or there was no time
};

// Asks the git program, which writes nothing and asks nobody; each question takes 2 s at most. Between two of them
// `goesOn` says whether there is time for more.
GitFacts gitFacts(const std::filesystem::path& project, const std::function<bool()>& goesOn);

// Rule: a remote's address as it is written down.
// Without the user and password of a URL.
std::string withoutCredentials(std::string_view url);

// An untracked text as a part of a patch, as git writes it; empty for what is no text.
std::string newFilePatch(const std::string& path, std::string_view content);

} // namespace trainyard::run
